//! Letters that wait: with their deed or not at all, once, and until their time is over.

use std::{
    collections::{HashMap, VecDeque},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use crossvat::{
    db::{Database, write},
    email::{KEPT, Letter, Mailer, Memory, Outbox, Round, SendError},
    people::EmailAddress,
};
use crossvat_migrations::Migrator;
use futures_util::future::join;
use sea_orm::ConnectionTrait;
use sea_orm_migration::MigratorTrait;
use secrecy::ExposeSecret;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::{HELEN, PUBLIC_URL, Post, SECRET, deliver, enqueue, failure, reset_password, waiting};
use crate::support::{TestApp, database};

/// A mailer that does what it is told, then takes everything.
#[derive(Default)]
struct Scripted {
    faults: Mutex<VecDeque<SendError>>,
    tries: AtomicUsize,
    taken: Memory,
}

impl Scripted {
    fn failing(faults: impl IntoIterator<Item = SendError>) -> Arc<Self> {
        Arc::new(Self { faults: Mutex::new(faults.into_iter().collect()), ..Self::default() })
    }

    fn tries(&self) -> usize {
        self.tries.load(Ordering::SeqCst)
    }
}

#[async_trait]
impl Mailer for Scripted {
    async fn send(&self, letter: &Letter) -> Result<(), SendError> {
        self.tries.fetch_add(1, Ordering::SeqCst);
        let fault = self.faults.lock().expect("whole").pop_front();
        match fault {
            Some(fault) => Err(fault),
            None => self.taken.send(letter).await,
        }
    }

    fn longest(&self) -> Duration {
        Duration::from_secs(30)
    }
}

fn away() -> SendError {
    SendError::Away("away".to_owned())
}

fn not_now() -> SendError {
    SendError::NotNow("not now".to_owned())
}

fn sent(sent: u32) -> Round {
    Round { sent, ..Round::default() }
}

fn put_off(put_off: u32) -> Round {
    Round { put_off, ..Round::default() }
}

fn given_up(given_up: u32) -> Round {
    Round { given_up, ..Round::default() }
}

#[tokio::test]
async fn a_letter_goes_with_its_deed_or_not_at_all() {
    let (post, memory) = (Post::open().await, Memory::default());
    let outbox = post.outbox(Some(Arc::new(memory.clone())));
    let helen: EmailAddress = HELEN.parse().expect("an address");
    let failed = write(&post.db.main, async |transaction| {
        outbox.enqueue(transaction, &helen, &reset_password()).await?;
        Err::<(), _>(failure())
    });
    assert_eq!(failed.await, Err(failure()));
    assert_eq!((post.waiting().await, deliver(&outbox).await), (0, Round::default()));
    let id = post.enqueue().await;
    assert_eq!(deliver(&outbox).await, sent(1));
    assert_eq!((post.waiting().await, deliver(&outbox).await), (0, Round::default()));
    let [letter] = &memory.letters()[..] else { panic!("one letter") };
    assert_eq!((letter.id, letter.to.as_str()), (id, HELEN));
    assert_eq!(letter.subject.to_string(), "Choose a new password");
    let link = format!("\nhttps://vat.example.org/reset-password/{SECRET}\n");
    assert!(letter.body.expose_secret().contains(&link), "{}", letter.body.expose_secret());
}

#[tokio::test]
async fn letters_go_in_the_order_they_were_written() {
    let (post, memory) = (Post::open().await, Memory::default());
    let mut written = Vec::new();
    for place in 0..5 {
        written.push(post.enqueue().await);
        post.advance(place % 2);
    }
    assert_eq!(deliver(&post.outbox(Some(Arc::new(memory.clone())))).await, sent(5));
    let sent: Vec<_> = memory.letters().iter().map(|letter| letter.id).collect();
    assert_eq!(sent, written);
}

#[tokio::test]
async fn a_letter_that_is_not_taken_is_tried_again_after_pauses_that_grow() {
    let post = Post::open().await;
    let mailer = Scripted::failing([not_now(), not_now(), not_now()]);
    let outbox = post.outbox(Some(mailer.clone()));
    post.enqueue().await;
    for pause in [10, 20, 40] {
        assert_eq!(deliver(&outbox).await, put_off(1));
        post.advance(pause - 1);
        assert_eq!(deliver(&outbox).await, Round::default(), "before {pause} s");
        post.advance(1);
    }
    assert_eq!(deliver(&outbox).await, sent(1));
    assert_eq!((mailer.tries(), post.waiting().await), (4, 0));
}

#[tokio::test]
async fn one_letter_that_is_not_taken_holds_no_other_up() {
    let post = Post::open().await;
    let mailer = Scripted::failing([not_now(), SendError::Never("no such user".to_owned())]);
    let outbox = post.outbox(Some(mailer.clone()));
    for address in ["late@b.co", "gone@b.co", "well@b.co"] {
        post.enqueue_to(address).await;
    }
    assert_eq!(deliver(&outbox).await, Round { sent: 1, put_off: 1, given_up: 1, away: None });
    assert_eq!(mailer.taken.to("well@b.co").len(), 1);
    assert_eq!(post.waiting().await, 1, "who is refused for good is not asked again");
    post.advance(10);
    assert_eq!(deliver(&outbox).await, sent(1));
    assert_eq!(mailer.taken.to("late@b.co").len(), 1);
}

#[tokio::test]
async fn when_nothing_is_taken_no_further_letter_is_tried_and_all_go_soon_after() {
    let post = Post::open().await;
    let mailer = Scripted::failing(std::iter::repeat_with(away).take(20));
    let outbox = post.outbox(Some(mailer.clone()));
    for _ in 0..3 {
        post.enqueue().await;
    }
    for tries in 1..=20 {
        let round = deliver(&outbox).await;
        assert_eq!(round, Round { away: Some("away".to_owned()), ..Round::default() });
        assert_eq!(mailer.tries(), tries);
        // However long it was away: nothing waits for more than half a minute once it is back.
        post.advance(30);
    }
    assert_eq!(deliver(&outbox).await, sent(3));
}

#[tokio::test]
async fn a_letter_whose_time_is_over_is_given_up_without_a_try() {
    let post = Post::open().await;
    let mailer = Scripted::failing([away()]);
    let outbox = post.outbox(Some(mailer.clone()));
    post.enqueue().await;
    assert!(deliver(&outbox).await.away.is_some());
    post.advance(KEPT.as_secs() - 1);
    post.enqueue().await;
    post.advance(1);
    assert_eq!(deliver(&outbox).await, Round { sent: 1, given_up: 1, ..Round::default() });
    assert_eq!((mailer.tries(), post.waiting().await), (2, 0));
}

#[tokio::test]
async fn without_a_mailer_letters_wait_for_one_until_their_time_is_over() {
    let (post, memory) = (Post::open().await, Memory::default());
    let (without, with) = (post.outbox(None), post.outbox(Some(Arc::new(memory.clone()))));
    assert!(!without.sends() && with.sends());
    post.enqueue().await;
    post.advance(KEPT.as_secs() - 1);
    let second = post.enqueue().await;
    assert_eq!(deliver(&without).await, Round::default());
    post.advance(1);
    assert_eq!(deliver(&without).await, given_up(1));
    assert_eq!(deliver(&with).await, sent(1));
    assert_eq!(memory.letters()[0].id, second);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_instances_send_each_letter_once() {
    let (post, memory) = (Post::open().await, Memory::default());
    let mailer = Arc::new(Lingering(memory.clone()));
    let one = post.outbox(Some(mailer.clone()));
    let elsewhere = Database::connect(&database::url_for(post.folder.path()).into()).await.expect("database");
    let other = Outbox::new(elsewhere.main, post.clock.clone(), PUBLIC_URL.into(), Some(mailer));
    for _ in 0..20 {
        post.enqueue().await;
    }
    let (here, there) = join(deliver(&one), deliver(&other)).await;
    assert_eq!(here.sent + there.sent, 20);
    let mut times = HashMap::new();
    for letter in memory.letters() {
        *times.entry(letter.id).or_insert(0) += 1;
    }
    assert!(times.len() == 20 && times.values().all(|times| *times == 1), "{times:?}");
    assert_eq!(post.waiting().await, 0);
}

/// A mailer that takes long enough for another instance to come upon the same letter.
struct Lingering(Memory);

#[async_trait]
impl Mailer for Lingering {
    async fn send(&self, letter: &Letter) -> Result<(), SendError> {
        tokio::time::sleep(Duration::from_millis(20)).await;
        self.0.send(letter).await
    }

    fn longest(&self) -> Duration {
        Duration::from_secs(30)
    }
}

#[tokio::test]
async fn what_a_dead_instance_was_sending_is_sent_again_once_it_cannot_be_at_it_any_more() {
    let post = Post::open().await;
    let stuck = Arc::new(Slow::default());
    let dying = post.outbox(Some(stuck.clone()));
    post.enqueue().await;
    tokio::select! {
        round = deliver(&dying) => panic!("{round:?}"),
        () = stuck.began.notified() => {}
    }
    let mailer = Scripted::failing([]);
    let outbox = post.outbox(Some(mailer.clone()));
    // The time limit of sending and 30 s.
    post.advance(59);
    assert_eq!(deliver(&outbox).await, Round::default());
    post.advance(1);
    assert_eq!(deliver(&outbox).await, sent(1));
}

/// A mailer that takes a letter only when it is told to.
#[derive(Default)]
struct Slow {
    began: Notify,
    may_end: Notify,
    taken: Memory,
}

#[async_trait]
impl Mailer for Slow {
    async fn send(&self, letter: &Letter) -> Result<(), SendError> {
        self.began.notify_one();
        self.may_end.notified().await;
        self.taken.send(letter).await
    }

    fn longest(&self) -> Duration {
        Duration::from_secs(30)
    }
}

#[tokio::test]
async fn an_instance_that_stops_ends_the_letter_it_is_at_and_begins_no_other() {
    let post = Post::open().await;
    let slow = Arc::new(Slow::default());
    for _ in 0..2 {
        post.enqueue().await;
    }
    let stop = CancellationToken::new();
    let running = tokio::spawn(post.outbox(Some(slow.clone())).run(stop.clone()));
    slow.began.notified().await;
    stop.cancel();
    slow.may_end.notify_one();
    running.await.expect("ends");
    assert_eq!((slow.taken.letters().len(), post.waiting().await), (1, 1));
}

#[tokio::test]
async fn the_server_sends_what_is_put_into_its_outbox_also_after_a_restart() {
    let mut app = TestApp::start().await;
    enqueue(&app.database, &app.outbox(), HELEN, &reset_password()).await;
    assert_eq!(app.mail_to(HELEN, 1).await[0].subject.to_string(), "Choose a new password");
    app.ask_to_stop();
    app.ended().await;
    let left = enqueue(&app.database, &app.outbox(), HELEN, &reset_password()).await;
    assert_eq!(waiting(&app.database).await, 1);
    app.start_again().await;
    assert_eq!(app.mail_to(HELEN, 2).await[1].id, left);
}

#[tokio::test]
async fn the_outbox_can_be_undone_with_a_letter_in_it() {
    let post = Post::open().await;
    post.enqueue().await;
    let (db, all) = (&post.db.main, Migrator::migrations());
    let later = all.iter().rev().position(|one| one.name() == "m0006_outbox").expect("there");
    Migrator::down(db, Some(u32::try_from(later + 1).expect("few"))).await.expect("down");
    assert!(db.execute_unprepared("SELECT * FROM outbox").await.is_err(), "it is still there");
    Migrator::up(db, None).await.expect("up");
    assert_eq!(post.waiting().await, 0);
    post.enqueue().await;
}
