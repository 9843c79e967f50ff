//! `AnswerSlip`: a question above a dashed line, what is said to it below. Here: a number as typed, and how it is read.

use leptos::ev::SubmitEvent;
use leptos::html::Input;
use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::{use_navigate, use_query_map};

use super::number_reading::{NumberReading, ReadingLink, reading_address};

/// What the field holds when the address says nothing: a good number, written as people write it.
const EXAMPLE: &str = "nl 0044.95.445.B01";

/// Numbers to look at, each with what it shows.
const SAMPLES: [(&str, &str); 4] = [
    ("GR094259216", "A Greek one"),
    ("AT57194903", "A letter missing"),
    ("GB123456789", "A slip of a digit"),
    ("CHE-116.281.710 MWST", "A Swiss one"),
];

/// One field and how the number in it is read: at once where there is a script, by sending the form where not.
#[component]
pub(crate) fn AnswerSlip() -> impl IntoView {
    let query = use_query_map();
    let in_address =
        Memo::new(move |_| query.with(|query| query.get("number").unwrap_or_else(|| EXAMPLE.to_owned())));
    let number = RwSignal::new(in_address.get_untracked());
    let field = NodeRef::<Input>::new();

    // What was typed before the script came is the reader's and is kept; from then on the field follows the number.
    Effect::new(move |read: Option<bool>| {
        let wanted = number.get();
        let Some(field) = field.get() else { return false };
        let shown = field.value();
        if read != Some(true) {
            number.set(shown);
        } else if shown != wanted {
            field.set_value(&wanted);
        }
        true
    });
    // Back and forward name another number.
    Effect::watch(move || in_address.get(), move |named, _, _| number.set(named.clone()), false);

    let navigate = use_navigate();
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        navigate(
            &reading_address(&number.get_untracked()),
            NavigateOptions { scroll: false, ..NavigateOptions::default() },
        );
    };

    view! {
        <section class="answer-slip" aria-labelledby="number-label">
            <form class="field" method="get" action="/#reading" on:submit=submit>
                <label for="number" id="number-label">"See how a number is read"</label>
                <p class="hint" id="number-hint">"A reading, not an answer: no registry is asked here."</p>
                <div>
                    <input
                        id="number"
                        name="number"
                        type="text"
                        value=in_address.get_untracked()
                        aria-describedby="number-hint"
                        autocomplete="off"
                        autocapitalize="off"
                        spellcheck="false"
                        data-face="mono"
                        node_ref=field
                        on:input:target=move |event| number.set(event.target().value())
                    />
                    <button class="button" data-kind="primary" type="submit">"Read it"</button>
                </div>
                <ul class="samples" role="list">
                    {SAMPLES
                        .map(|(sample, name)| {
                            view! {
                                <li>
                                    <ReadingLink field=number submitted=sample.to_owned()>{name}</ReadingLink>
                                </li>
                            }
                        })
                        .into_iter()
                        .collect_view()}
                </ul>
            </form>
            <div>
                <NumberReading field=number />
            </div>
        </section>
    }
    .into_any()
}
