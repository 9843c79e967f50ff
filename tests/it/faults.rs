//! What the server needs fails and comes back while calls run: meanwhile they are refused in clear words or answered
//! right, afterwards they are served again without anybody's help, and the books are exact.

use std::{
    fs::File,
    io::{ErrorKind, Write},
    os::fd::AsRawFd,
    path::{Path, PathBuf},
    process::Command,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use crossvat::db::Database;
use sea_orm::{
    ConnectOptions, ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend,
    SqliteTransactionMode, Statement, TransactionOptions, TransactionTrait,
};
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
    task::JoinSet,
};
use tokio_util::sync::CancellationToken;

use crate::support::{
    Answer, Office,
    books::{Books, Caller, Ledger},
    database::DatabaseKind,
    private_servers::{PrivatePostgres, PrivateRedis, is_root},
    program::Program,
};

/// Traffic at one program, by people who try again.
struct Traffic {
    office: Office,
    program: Program,
    ledger: Ledger,
    numbers: AtomicUsize,
    refused: AtomicUsize,
    single: Caller,
    repeats: Caller,
    over: CancellationToken,
}

impl Traffic {
    async fn prepare(office: Office, serve: impl FnOnce(&Office) -> Program) -> Arc<Self> {
        let (single, repeats) = (office.caller("single").await, office.caller("repeats").await);
        let program = serve(&office);
        let traffic = Self {
            office,
            program,
            ledger: Ledger::default(),
            numbers: AtomicUsize::new(0),
            refused: AtomicUsize::new(0),
            single,
            repeats,
            over: CancellationToken::new(),
        };
        let first = traffic.ask().await;
        assert_eq!(first.only_result()["source"], "live");
        Arc::new(traffic)
    }

    async fn call(&self, caller: &Caller, number: String) -> Answer {
        let answer = self.ledger.call(&self.office.http, &self.program.url(""), caller, &[number]).await;
        let answer = answer.expect("an answer, whatever is broken");
        if answer.is_acknowledged() {
            Office::told_the_truth(answer.results());
        } else {
            self.refused.fetch_add(1, Ordering::Relaxed);
        }
        answer
    }

    /// Asks for a new number.
    async fn ask(&self) -> Answer {
        self.call(&self.single, self.office.number(self.numbers.fetch_add(1, Ordering::Relaxed))).await
    }

    /// Lets calls run beside `fault`, then compares.
    async fn beside(self: Arc<Self>, fault: impl AsyncFnOnce(&Self)) -> Arc<Self> {
        let mut tasks = JoinSet::new();
        for task in 0..5 {
            let traffic = Arc::clone(&self);
            tasks.spawn(async move {
                while !traffic.over.is_cancelled() {
                    let answer = if task < 3 {
                        traffic.ask().await
                    } else {
                        traffic.call(&traffic.repeats, traffic.office.number(0)).await
                    };
                    let wait = if answer.is_acknowledged() { 2 } else { 50 };
                    tokio::time::sleep(Duration::from_millis(wait)).await;
                }
            });
        }
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert_eq!(self.refused.load(Ordering::Relaxed), 0, "nothing is broken yet");
        fault(&self).await;
        tokio::time::sleep(Duration::from_millis(300)).await;
        self.over.cancel();
        while let Some(ended) = tasks.join_next().await {
            ended.expect("every answer was right");
        }
        assert_eq!(self.ask().await.status, 200, "as before");
        self
    }

    async fn probe(&self, path: &str) -> u16 {
        Answer::of(self.office.http.get(self.program.url(path))).await.status
    }

    /// Calls are refused, and the server says that it is alive and not ready.
    async fn is_out(&self) {
        let before = self.refused.load(Ordering::Relaxed);
        eventually("calls are refused", async || self.refused.load(Ordering::Relaxed) > before).await;
        eventually("it is not ready", async || {
            assert_eq!(self.probe("/healthz").await, 200);
            self.probe("/readyz").await == 503
        })
        .await;
    }

    /// Calls are served, and the server says that it is ready.
    async fn is_back(&self) {
        eventually("it is ready", async || self.probe("/readyz").await == 200).await;
        eventually("new numbers are answered", async || self.ask().await.status == 200).await;
    }

    /// Nothing is lost, nothing twice: of calls that are acknowledged from memory too, since the server never died.
    fn compare(&self, books: &Books) {
        books.agree_with(&self.ledger);
        let told = self.ledger.of(&self.repeats).iter().filter(|(_, told_at)| told_at.is_some()).count();
        assert_eq!(books.acknowledged(self.repeats.id), told, "repeated calls");
        assert_eq!(books.counted(self.repeats.id, "cache"), told);
    }

    /// Stops the program and compares.
    async fn settle(self: Arc<Self>) {
        let traffic = self.stop();
        traffic.compare(&traffic.office.books().await);
    }

    fn stop(self: Arc<Self>) -> Self {
        let Ok(mut traffic) = Arc::try_unwrap(self).map_err(drop) else { panic!("calls are still running") };
        let log = traffic.program.stop();
        assert!(!log.contains("panicked"), "{log}");
        traffic
    }
}

/// Waits until it holds, for at most a minute.
async fn eventually(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let started = Instant::now();
    while !holds().await {
        assert!(started.elapsed() < Duration::from_mins(1), "not within a minute: {what}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_locked_database() {
    let traffic = Traffic::prepare(Office::open().await, Office::serve).await;
    let traffic = traffic
        .beside(async |traffic| {
            let lock = lock(&traffic.office.url).await;
            traffic.is_out().await;
            lock.rollback().await.expect("lets go");
            traffic.is_back().await;
        })
        .await;
    traffic.settle().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_is_slower_than_a_call_may_be() {
    const DEADLINE: Duration = Duration::from_secs(2);
    let serve = |office: &Office| {
        let mut command = office.program();
        command.env("CROSSVAT_VERIFICATION__DEADLINE_SECONDS", DEADLINE.as_secs().to_string());
        office.serve_with(command)
    };
    let traffic = Traffic::prepare(Office::open().await, serve).await;
    let number = traffic.office.number(1);
    let lock = lock(&traffic.office.url).await;
    let let_go = async {
        // After the deadline, and before the five seconds are over for which a write is waited for.
        tokio::time::sleep(DEADLINE + Duration::from_millis(1500)).await;
        lock.rollback().await.expect("lets go");
    };
    let (late, ()) = tokio::join!(traffic.call(&traffic.single, number.clone()), let_go);
    assert_eq!(late.only_unresolved()["reason"], "deadline");
    // It was asked all the same, for whoever asks again.
    let again = traffic.call(&traffic.single, number).await;
    assert_eq!(again.only_result()["source"], "cache");
    let traffic = traffic.stop();
    let (books, caller) = (traffic.office.books().await, traffic.single.id);
    traffic.compare(&books);
    assert_eq!((books.answered(caller), books.counted(caller, "live")), (2, 1));
    assert_eq!((books.counted(caller, "none"), books.counted(caller, "cache")), (1, 1));
}

/// Keeps every writer waiting, for longer than any waits.
async fn lock(url: &str) -> DatabaseTransaction {
    let other = connection(url).await;
    match DatabaseKind::of_this_run() {
        DatabaseKind::Sqlite => {
            let exclusive = TransactionOptions {
                sqlite_transaction_mode: Some(SqliteTransactionMode::Exclusive),
                ..TransactionOptions::default()
            };
            other.begin_with_options(exclusive).await.expect("locks")
        }
        DatabaseKind::Postgres => {
            let lock = other.begin().await.expect("begins");
            let tables = "LOCK TABLE allowances, usage_requests IN ACCESS EXCLUSIVE MODE";
            lock.execute_unprepared(tables).await.expect("locks");
            lock
        }
    }
}

/// A connection of the test's own. It waits for its turn among the writers of a SQLite file, who are let in out of order.
async fn connection(url: &str) -> DatabaseConnection {
    let mut options = ConnectOptions::new(url);
    options.max_connections(1).sqlx_logging(false);
    options.map_sqlx_sqlite_opts(|sqlite| sqlite.busy_timeout(Duration::from_mins(1)));
    sea_orm::Database::connect(options).await.expect("connects")
}

/// A small file system for the database alone, in a mount namespace of the program: whoever may make one of these or a
/// user namespace can run this, and nothing is left behind.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk() {
    if DatabaseKind::of_this_run() == DatabaseKind::Postgres {
        // To the server it is a database that refuses to write, as one that is locked.
        return;
    }
    let traffic = Traffic::prepare(Office::open().await, serve_on_small_disk).await;
    let disk = traffic.office.folder().join("disk");
    // Open, it stays when the program and its namespace are gone.
    let disk =
        File::open(format!("/proc/{}/root{}", traffic.program.id(), disk.display())).expect("the disk");
    let inside = |name: &str| PathBuf::from(format!("/proc/self/fd/{}/{name}", disk.as_raw_fd()));
    let traffic = traffic
        .beside(async |traffic| {
            fill(&inside("ballast"));
            traffic.is_out().await;
            std::fs::remove_file(inside("ballast")).expect("removes");
            traffic.is_back().await;
        })
        .await;
    let traffic = traffic.stop();
    let copy = traffic.office.folder().join("copy.db");
    std::fs::copy(inside("test.db"), &copy).expect("copies");
    assert!(!inside("test.db-wal").exists(), "a program that ends well leaves one file");
    let url = format!("sqlite://{}", copy.display());
    let database = Database::connect(&url.into()).await.expect("opens");
    traffic.compare(&Books::read(&database, traffic.office.account).await);
}

fn serve_on_small_disk(office: &Office) -> Program {
    const SCRIPT: &str =
        "mount -t tmpfs -o size=64m crossvat \"$1\" && cp \"$2\" \"$2-wal\" \"$1\" && shift 2 && exec \"$@\"";
    let disk = office.folder().join("disk");
    std::fs::create_dir(&disk).expect("a folder");
    let mut command = Command::new("unshare");
    command.env_clear().env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin").arg("--mount");
    if !is_root() {
        command.args(["--user", "--map-root-user"]);
    }
    command
        .args(["sh", "-c", SCRIPT, "sh"])
        .arg(&disk)
        .arg(office.folder().join("test.db"))
        .arg(env!("CARGO_BIN_EXE_crossvat"))
        .env("CROSSVAT_DATABASE__URL", format!("sqlite://{}/test.db", disk.display()));
    office.serve_with(command)
}

/// Writes until nothing more fits.
fn fill(ballast: &Path) {
    let mut file = File::create(ballast).expect("a file");
    for size in [1024 * 1024, 4096] {
        while file.write_all(&vec![0; size]).is_ok() {}
    }
    let full = file.write_all(&[0; 4096]).expect_err("full");
    assert_eq!(full.kind(), ErrorKind::StorageFull);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_stopped_and_postgres_killed() {
    if DatabaseKind::of_this_run() == DatabaseKind::Sqlite {
        // It needs a PostgreSQL, whatever the others run on.
        return;
    }
    let mut postgres = PrivatePostgres::start().await;
    let traffic = Traffic::prepare(Office::on(postgres.url()).await, Office::serve).await;
    let traffic = traffic
        .beside(async |traffic| {
            postgres.stop();
            traffic.is_out().await;
            postgres.start_again().await;
            traffic.is_back().await;
            postgres.kill();
            traffic.is_out().await;
            postgres.start_again().await;
            traffic.is_back().await;
        })
        .await;
    traffic.settle().await;
}

/// What is set aside waits for no disk, so a database that dies may forget it, and the month's row with it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_number_counts_though_postgres_forgot_that_it_was_set_aside() {
    if DatabaseKind::of_this_run() == DatabaseKind::Sqlite {
        // SQLite forgets only with the machine, and then the call is gone too.
        return;
    }
    let mut postgres = PrivatePostgres::start().await;
    let office = Office::on(postgres.url()).await;
    let caller = office.caller("checkout").await;
    let mut program = office.serve();
    // Longer than it takes to see what is set aside, to kill the database and to start it again.
    office.simulator.vies().set_delay(Duration::from_secs(8));
    let ledger = Ledger::default();
    let (base, numbers) = (program.url(""), [office.number(0)]);
    let call = ledger.call(&office.http, &base, &caller, &numbers);
    let dies = async {
        while office.books().await.reservations.is_empty() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        postgres.kill();
        postgres.start_again().await;
    };
    let (answer, ()) = tokio::join!(call, dies);
    assert_eq!(answer.expect("an answer").status, 200);
    program.stop();
    office.books().await.agree_with(&ledger);
}

/// A commit that nobody heard of, and that is still under way when it is tried again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_commit_that_nobody_heard_of_is_not_repeated() {
    const SLOW_COMMIT: &str = "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS \
        $$ BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN NULL; END $$; \
        CREATE CONSTRAINT TRIGGER slow AFTER INSERT OR UPDATE ON usage_requests \
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION slow(); \
        SELECT pg_advisory_lock(1)";
    const LET_COMMIT: &str = "SELECT pg_advisory_unlock(1)";
    const COMMITS: &str = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'advisory' AND query = 'COMMIT'";
    const TRIES_AGAIN: &str = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'transactionid'";
    if DatabaseKind::of_this_run() == DatabaseKind::Sqlite {
        // There is no line between the program and its database that could break.
        return;
    }
    let postgres = PrivatePostgres::start().await;
    let office = Office::on(postgres.url()).await;
    let line = Line::to(postgres.port()).await;
    let serve = |office: &Office| {
        let mut command = office.program();
        command.env("CROSSVAT_DATABASE__URL", PrivatePostgres::address(line.port));
        office.serve_with(command)
    };
    let traffic = Traffic::prepare(office, serve).await;
    // Once for what is read, so that only its count is written below.
    traffic.call(&traffic.repeats, traffic.office.number(0)).await;
    let watch = connection(&traffic.office.url).await;
    watch.execute_unprepared(SLOW_COMMIT).await.expect("a trigger");
    let somebody = async |does: &str| {
        let rows = watch.query_all_raw(Statement::from_string(DbBackend::Postgres, does)).await;
        !rows.expect("rows").is_empty()
    };
    assert_eq!(traffic.call(&traffic.repeats, traffic.office.number(0)).await.status, 200);
    eventually("the count is being committed", async || somebody(COMMITS).await).await;
    line.cut();
    eventually("it is tried again", async || somebody(TRIES_AGAIN).await).await;
    watch.execute_unprepared(LET_COMMIT).await.expect("lets go");
    eventually("both are over", async || !somebody(COMMITS).await && !somebody(TRIES_AGAIN).await).await;
    traffic.settle().await;
}

/// A database that vanishes without a word, as when its machine loses power, and is back elsewhere at once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_line_that_falls_silent() {
    if DatabaseKind::of_this_run() == DatabaseKind::Sqlite {
        // There is no line between the program and its database.
        return;
    }
    let postgres = PrivatePostgres::start().await;
    let office = Office::on(postgres.url()).await;
    let line = Line::to(postgres.port()).await;
    let serve = |office: &Office| {
        let mut command = office.program();
        command.env("CROSSVAT_DATABASE__URL", PrivatePostgres::address(line.port));
        office.serve_with(command)
    };
    let traffic = Traffic::prepare(office, serve).await;
    let traffic = traffic
        .beside(async |traffic| {
            line.silence();
            let started = Instant::now();
            traffic.is_out().await;
            // The limit for work on the database, then that for a sign of life, then a call's own wait.
            while traffic.ask().await.status != 200 {
                assert!(started.elapsed() < Duration::from_mins(1), "it is not back");
            }
            traffic.is_back().await;
        })
        .await;
    traffic.settle().await;
}

/// A line to a server that can be cut, or fall silent.
struct Line {
    port: u16,
    cut: Arc<Mutex<CancellationToken>>,
    silent: Arc<Mutex<CancellationToken>>,
}

impl Line {
    async fn to(port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let near = listener.local_addr().expect("an address").port();
        let cut = Arc::new(Mutex::new(CancellationToken::new()));
        let silent = Arc::new(Mutex::new(CancellationToken::new()));
        let now = (Arc::clone(&cut), Arc::clone(&silent));
        tokio::spawn(async move {
            while let Ok((mut caller, _)) = listener.accept().await {
                let [cut, silent] = [&now.0, &now.1].map(|token| token.lock().expect("no panic").clone());
                tokio::spawn(async move {
                    let mut server = TcpStream::connect(("127.0.0.1", port)).await.expect("connects");
                    tokio::select! {
                        () = cut.cancelled() => return,
                        () = silent.cancelled() => {}
                        _either_ended = copy_bidirectional(&mut caller, &mut server) => return,
                    }
                    // Both ends are held open, and nothing is passed on.
                    cut.cancelled().await;
                });
            }
        });
        Self { port: near, cut, silent }
    }

    /// Nothing passes on the connections there are; new ones work.
    fn silence(&self) {
        std::mem::take(&mut *self.silent.lock().expect("no panic")).cancel();
    }

    /// Cuts all connections; new ones can be made at once.
    fn cut(&self) {
        std::mem::take(&mut *self.cut.lock().expect("no panic")).cancel();
    }
}

/// PostgreSQL has no place in a text for the character nought, and what a registry writes is not ours to choose.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_that_a_database_cannot_hold_stops_nobody() {
    let traffic = Traffic::prepare(Office::open().await, Office::serve).await;
    let number = traffic.office.number(4_000_000);
    let odd = registry_simulator::Answer::valid("Tra\u{0}der", "1 Sample\u{0} Street");
    traffic.office.simulator.vies().script("DE", &number[2..], odd);
    let ledger = &traffic.ledger;
    let base = traffic.program.url("");
    let answer =
        ledger.call(&traffic.office.http, &base, &traffic.single, &[number]).await.expect("an answer");
    assert_eq!(answer.only_result()["valid"], true);
    assert_eq!(traffic.ask().await.status, 200, "nor the next");
    traffic.settle().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn redis_killed_and_back_refuses_nobody() {
    let mut redis = PrivateRedis::start().await;
    let serve = |office: &Office| {
        let mut command = office.program();
        command.env("CROSSVAT_LIMITS__REDIS_URL", redis.url());
        office.serve_with(command)
    };
    let traffic = Traffic::prepare(Office::open().await, serve).await;
    let traffic = traffic
        .beside(async |traffic| {
            redis.kill();
            for _ in 0..10 {
                assert_eq!(traffic.ask().await.status, 200);
                assert_eq!(traffic.probe("/readyz").await, 200, "limits hold without it");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            redis.start_again().await;
            tokio::time::sleep(Duration::from_millis(1500)).await;
        })
        .await;
    assert_eq!(traffic.refused.load(Ordering::Relaxed), 0);
    traffic.settle().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_reads_sqlite_for_long_holds_nobody_up() {
    if DatabaseKind::of_this_run() == DatabaseKind::Postgres {
        // Readers and writers never wait for each other there.
        return;
    }
    let traffic = Traffic::prepare(Office::open().await, Office::serve).await;
    let traffic = traffic
        .beside(async |traffic| {
            let reader = connection(&traffic.office.url).await;
            let reading = reader.begin().await.expect("begins");
            reading
                .query_all_raw(Statement::from_string(DbBackend::Sqlite, "SELECT 1 FROM evidence"))
                .await
                .expect("reads");
            let log = traffic.office.folder().join("test.db-wal");
            let size = || std::fs::metadata(&log).expect("a log").len();
            // Long enough that it should begin anew, and for two looks at it.
            eventually("the log is long", async || size() > 6 * 1024 * 1024).await;
            let until = Instant::now() + Duration::from_secs(5);
            while Instant::now() < until {
                let started = Instant::now();
                assert_eq!(traffic.ask().await.status, 200);
                // Who had to wait for the reader would wait for five seconds.
                assert!(started.elapsed() < Duration::from_secs(4), "{:?}", started.elapsed());
            }
            reading.rollback().await.expect("ends");
            let before = beginnings(&log);
            eventually("the log begins anew", async || beginnings(&log) > before).await;
        })
        .await;
    assert_eq!(traffic.refused.load(Ordering::Relaxed), 0);
    traffic.settle().await;
}

/// How often SQLite's log began anew, which its header tells: <https://www.sqlite.org/fileformat.html#the_write_ahead_log>.
fn beginnings(log: &Path) -> u32 {
    let header = std::fs::read(log).expect("a log");
    u32::from_be_bytes(header[12..16].try_into().expect("four bytes"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_log_of_sqlite_begins_anew_under_steady_load() {
    if DatabaseKind::of_this_run() == DatabaseKind::Postgres {
        // PostgreSQL sees to its own.
        return;
    }
    let traffic = Traffic::prepare(Office::open().await, Office::serve).await;
    let traffic = traffic
        .beside(async |traffic| {
            let log = traffic.office.folder().join("test.db-wal");
            for _ in 0..2 {
                let before = beginnings(&log);
                eventually("the log begins anew", async || beginnings(&log) > before).await;
            }
        })
        .await;
    assert_eq!(traffic.refused.load(Ordering::Relaxed), 0);
    traffic.settle().await;
}
