//! Something that begins so far apart, over all instances, which take turns at it.

use std::{sync::Arc, time::Duration};

use redis::Script;

use super::sharing::{Away, Sharing, micros};

/// For so long whoever comes first waits for the instance whose turn it is: a little more than timers are late.
const GRACE: Duration = Duration::from_millis(20);

/// Something that begins so far apart, over all instances.
pub struct Spacing(Arc<Shared>);

struct Shared {
    sharing: Sharing,
    /// When it began, who waits, and when each instance's was.
    keys: [String; 3],
    instance: String,
    begin: Script,
    amend: Script,
    late: Duration,
}

impl Spacing {
    /// What everybody means who gives it this name. A delay of up to `late` the next one makes up for.
    #[must_use]
    pub fn new(sharing: Sharing, name: &str, late: Duration) -> Self {
        let key = sharing.key("spacing", name);
        Self(Arc::new(Shared {
            keys: [key.clone(), format!("{key}:waiting"), format!("{key}:began")],
            instance: sharing.instance(),
            sharing,
            begin: Script::new(include_str!("spacing.lua")),
            amend: Script::new(include_str!("spacing_amend.lua")),
            late,
        }))
    }

    /// Lets it begin now, unless it began less than `interval` ago or it is another instance's turn: then after how long it is
    /// worth another look.
    ///
    /// # Errors
    /// Redis is away.
    pub async fn begin(&self, interval: Duration) -> Result<Result<(), Duration>, Away> {
        let shared = &self.0;
        let asked = shared.sharing.ask(async |mut connection| {
            let mut call = shared.begin.prepare_invoke();
            for key in &shared.keys {
                call.key(key);
            }
            call.arg(&shared.instance).arg(micros(interval)).arg(micros(shared.late)).arg(micros(GRACE));
            call.invoke_async(&mut connection).await
        });
        let wait: u64 = asked.await?;
        Ok(if wait == 0 { Ok(()) } else { Err(Duration::from_micros(wait)) })
    }

    /// The latest, which was let begin a moment ago, begins only now. Told in the background.
    pub fn is_late(&self) {
        self.tell("late");
    }

    /// The latest did not begin after all. Told in the background, and true of this instance's own alone.
    pub fn give_back(&self) {
        self.tell("back");
    }

    fn tell(&self, what: &'static str) {
        let shared = Arc::clone(&self.0);
        // Outside a runtime the server has ended.
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        runtime.spawn(async move {
            let told = shared.sharing.ask(async |mut connection| {
                let mut call = shared.amend.key(&shared.keys[0]);
                call.arg(&shared.instance).arg(what).arg(micros(shared.late));
                call.invoke_async::<()>(&mut connection).await
            });
            // Away: then each keeps to its share, counted by itself.
            let _away = told.await;
        });
    }
}
