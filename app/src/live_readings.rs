//! Reads the numbers of a field while somebody types, in slices, so that ten thousand pasted rows do not keep the page from
//! answering. What is said about them is `line_readings`'; the field, and the places for what is said, are the server's.

use std::time::Duration;
use std::vec::IntoIter;

use leptos::ev::{Event, MouseEvent};
use leptos::prelude::*;
use leptos::wasm_bindgen::prelude::wasm_bindgen;
use leptos::wasm_bindgen::{self, JsCast, JsValue};
use leptos::web_sys::{Element, HtmlTextAreaElement};
use vat::pasted::{PastedError, numbers};

use crate::figures::grouped;
use crate::line_readings::{LineReadings, refused, with_suggestion};

/// The field.
const FIELD: &str = "numbers";
/// Where it is said how many there are, and where a look is worth it.
const PLACES: [&str; 3] = ["readings-head", "readings-lines", "check-button"];
/// What is shown as long as nothing is in the field.
const EMPTY: &str = "readings-empty";
/// Typing is over when nothing was typed for so long.
const PAUSE: Duration = Duration::from_millis(150);
/// Numbers that are read at a time; a slow phone takes a few milliseconds for them.
const SLICE: usize = 250;

#[wasm_bindgen(wasm_bindgen = wasm_bindgen)]
extern "C" {
    /// The numbers seen so far; the browser's own type costs no code.
    type Set;

    #[wasm_bindgen(constructor)]
    fn new() -> Set;

    #[wasm_bindgen(method)]
    fn add(this: &Set, number: &str) -> JsValue;

    #[wasm_bindgen(method, getter)]
    fn size(this: &Set) -> u32;
}

/// Counts what was typed, so that reading an older text ends when there is a newer one.
#[derive(Clone, Copy)]
pub(crate) struct LiveReadings(StoredValue<u32>);

impl LiveReadings {
    pub(crate) fn new() -> Self {
        Self(StoredValue::new(0))
    }

    /// Reads the field after an event in it.
    pub(crate) fn follow(self, event: &Event) {
        let typed_in = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        if typed_in.is_some_and(|field| field.id() == FIELD) {
            self.read();
        }
    }

    /// Puts a suggestion into the field that a button of the page stands for.
    pub(crate) fn take_suggestion(self, event: &MouseEvent) {
        let clicked = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let button = clicked.and_then(|clicked| clicked.closest("button[name=use]").ok().flatten());
        let chosen = button.and_then(|button| button.get_attribute("value"));
        if let (Some(chosen), Some(field)) = (chosen, field())
            && let Some(text) = with_suggestion(&field.value(), &chosen)
        {
            event.prevent_default();
            field.set_value(&text);
            // Fails for no element of a page that is shown.
            let _ = field.focus();
            self.read();
        }
    }

    /// Reads the field as soon as nobody has typed for a moment.
    pub(crate) fn read(self) {
        let Some(turn) = self.0.try_update_value(|turn| {
            *turn += 1;
            *turn
        }) else {
            return;
        };
        set_timeout(
            move || {
                if self.is_current(turn) {
                    self.begin(turn);
                }
            },
            PAUSE,
        );
    }

    fn is_current(self, turn: u32) -> bool {
        self.0.try_get_value() == Some(turn)
    }

    fn begin(self, turn: u32) {
        let Some(field) = field() else { return };
        let text = field.value();
        match numbers(&text) {
            Ok(found) => {
                let found: Vec<_> =
                    found.into_iter().map(|pasted| (pasted.line, pasted.text.into_owned())).collect();
                self.go_on(turn, found.into_iter(), Set::new(), LineReadings::default());
            }
            Err(PastedError::Nothing) => show("", "", None),
            Err(error) => show(&refused(error), "", None),
        }
    }

    fn go_on(self, turn: u32, mut left: IntoIter<(usize, String)>, seen: Set, mut readings: LineReadings) {
        for (line, text) in left.by_ref().take(SLICE) {
            readings.add(line, &text, |number| {
                let before = seen.size();
                seen.add(number);
                seen.size() > before
            });
        }
        if left.len() == 0 {
            show(&readings.head(), &readings.lines(), Some(readings.askable()));
        } else {
            set_timeout(
                move || {
                    if self.is_current(turn) {
                        self.go_on(turn, left, seen, readings);
                    }
                },
                Duration::ZERO,
            );
        }
    }
}

fn field() -> Option<HtmlTextAreaElement> {
    document().get_element_by_id(FIELD)?.dyn_into().ok()
}

fn show(head: &str, lines: &str, askable: Option<usize>) {
    let [head_place, lines_place, button] = PLACES.map(|id| document().get_element_by_id(id));
    if let (Some(head_place), Some(lines_place)) = (head_place, lines_place) {
        head_place.set_inner_html(head);
        lines_place.set_inner_html(lines);
    }
    if let Some(empty) = document().get_element_by_id(EMPTY) {
        // The attribute's name is a fixed, valid one.
        let _ = empty.toggle_attribute_with_force("hidden", !head.is_empty());
    }
    if let Some(button) = button {
        button.set_text_content(Some(&match askable {
            Some(1) => "Check 1 number".to_owned(),
            Some(more) if more > 0 => ["Check ", &*grouped(more as u64), " numbers"].concat(),
            _ => "Check the numbers".to_owned(),
        }));
    }
}
