//! How the registries are now, by the service's own lookups, as a short list.

use leptos::prelude::*;

use super::Instant;
use crate::components::{Moment, StatusTag, TagStatus};

/// How one registry, one member state or several alike are.
#[derive(Clone, Debug)]
pub struct RegistryLine {
    /// Who.
    pub name: String,
    /// Whether it is a registry itself, not one behind another.
    pub is_registry: bool,
    /// How it is.
    pub health: Health,
}

/// How a registry is.
#[derive(Clone, Debug)]
pub enum Health {
    /// It answers; what a usual answer takes, where that is told.
    Answering(Option<String>),
    /// It answers, but a usual answer takes so long, since then.
    Slow(String, Instant),
    /// It gives no answer since then, and what more is known of it.
    Refusing(Instant, &'static str),
    /// It is asked nothing since then, because support staff decided so, and why.
    NotAsked(Instant, String),
    /// Nobody asked lately; when somebody last did, if that is known.
    NotMeasured(Option<Instant>),
}

impl RegistryLine {
    fn view(self) -> AnyView {
        let (status, remark) = match self.health {
            Health::Answering(usual) => {
                let remark = usual.map(|usual| format!("answers in {usual}").into_any());
                (TagStatus::Answering, remark)
            }
            Health::Slow(usual, since) => {
                let remark = view! { "answers in " {usual} ", slowly since " <Moment at=since /> };
                (TagStatus::Slow, Some(remark.into_any()))
            }
            Health::Refusing(since, more) => {
                let remark = view! { "no answer since " <Moment at=since /> {more} };
                (TagStatus::Refusing, Some(remark.into_any()))
            }
            Health::NotAsked(since, why) => {
                let remark = view! { "not asked since " <Moment at=since /> ": " {why} };
                (TagStatus::NotAsked, Some(remark.into_any()))
            }
            Health::NotMeasured(last) => {
                let remark = last.map(|last| view! { "last asked " <Moment at=last /> }.into_any());
                (TagStatus::NotMeasured, remark)
            }
        };
        let name = if self.is_registry {
            view! { <strong>{self.name}</strong> }.into_any()
        } else {
            self.name.into_any()
        };
        view! {
            <li>
                <span>{name} " " {remark.map(|remark| view! { <small>{remark}</small> })}</span>
                <StatusTag status=status />
            </li>
        }
        .into_any()
    }
}

/// The list under its heading.
pub(super) fn registries_now(lines: Vec<RegistryLine>) -> AnyView {
    view! {
        <section aria-labelledby="registries">
            <h2 id="registries">"Registries now"</h2>
            <ul class="item-list" role="list">
                {lines.into_iter().map(RegistryLine::view).collect_view()}
            </ul>
            <p>
                <small>"What our own questions of the last 15 minutes met, not what a registry says of itself."</small>
            </p>
        </section>
    }
    .into_any()
}
