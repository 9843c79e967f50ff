//! `NumberReading`: how a number is read as it stands in the field, before any registry is asked. A reading is no
//! answer: it carries no outcome but the two that need no registry.

use leptos::prelude::*;
use leptos_router::location::Url;
use vat::{Advice, AdviceCode, Reading, Shape, Status};

use super::fact_list::{Fact, FactList};
use super::finding::Finding;
use super::status_tag::{StatusTag, TagStatus};
use super::vat_number::VatNumber;
use crate::reading_words::{fitting_check_digits, sentence, who_is_asked};

/// The address of the start page with `submitted` in its field, and of the place where it is read.
pub(crate) fn reading_address(submitted: &str) -> String {
    format!("/?number={}#reading", Url::escape(submitted))
}

/// Puts a text into the field: by its address, and at once where there is a script.
#[component]
pub(crate) fn ReadingLink(
    /// The field's text.
    field: RwSignal<String>,
    /// What to put there.
    submitted: String,
    /// The words of the link.
    children: Children,
) -> impl IntoView {
    let address = reading_address(&submitted);

    view! {
        <a href=address data-noscroll on:click=move |_| field.set(submitted.clone())>
            {children()}
        </a>
    }
}

/// How the text in the field is read.
#[component]
pub(crate) fn NumberReading(
    /// The field's text.
    field: RwSignal<String>,
) -> impl IntoView {
    let reading = Memo::new(move |_| field.with(|submitted| vat::VatNumber::parse(submitted)));
    let sentence = Memo::new(move |_| reading.with(sentence));

    view! {
        <div class="number-reading">
            {move || reading.with(finding)}
            <p role="status">{sentence}</p>
            {move || reading.with(|reading| facts(reading, field))}
        </div>
    }
    .into_any()
}

/// The number, or what stands for one, with what can be said of it without a registry; nothing for an empty field.
fn finding(reading: &Reading) -> Option<impl IntoView + use<>> {
    let (number, status) = match reading.shape() {
        Shape::Number(number) => {
            (view! { <VatNumber number=*number large=true /> }.into_any(), TagStatus::NotAsked)
        }
        Shape::Malformed(_) => (unread(reading)?.into_any(), Status::Malformed.into()),
        Shape::Unsupported(_) => (unread(reading)?.into_any(), Status::Unsupported.into()),
    };

    Some(view! {
        <Finding>
            {number}
            <StatusTag status=status large=true />
        </Finding>
    })
}

/// What could not be read as a number, plain. A direction of its own keeps marks in it from reordering the page.
fn unread(reading: &Reading) -> Option<impl IntoView + use<>> {
    let text = reading.canonical().to_owned();

    (!text.is_empty()).then(|| view! { <code dir="ltr">{text}</code> })
}

/// What the reading found, one fact a line; nothing for an empty field.
fn facts(reading: &Reading, field: RwSignal<String>) -> Option<impl IntoView + use<>> {
    let number = reading.number();
    if number.is_none() && reading.canonical().is_empty() {
        return None;
    }

    let (digits, noticed): (Vec<_>, Vec<_>) =
        reading.advice().into_iter().partition(|advice| advice.code == AdviceCode::CheckDigitsDoNotFit);
    let digits = number
        .as_ref()
        .and_then(fitting_check_digits)
        .or_else(|| digits.into_iter().next().map(|advice| advice.message.into_owned()));
    let asked = who_is_asked(reading.shape());

    Some(view! {
        <FactList>
            {number.map(|number| view! { <Fact name="Country">{number.prefix().country_name()}</Fact> })}
            <Fact name="Would be asked">{asked}</Fact>
            {digits.map(|digits| view! { <Fact name="Check digits">{digits}</Fact> })}
            {(!noticed.is_empty())
                .then(|| {
                    view! {
                        <Fact name="Noticed">
                            <ul role="list">
                                {noticed
                                    .into_iter()
                                    .map(|advice| view! { <li>{notice(advice, field)}</li> })
                                    .collect_view()}
                            </ul>
                        </Fact>
                    }
                })}
        </FactList>
    })
}

/// One thing that was noticed, with the number it suggests.
fn notice(advice: Advice, field: RwSignal<String>) -> impl IntoView {
    let suggestion = advice.suggestion.map(|suggestion| {
        let number = match vat::VatNumber::parse(&suggestion).number() {
            Some(number) => view! { <VatNumber number=number /> }.into_any(),
            None => view! { <code>{suggestion.clone()}</code> }.into_any(),
        };

        view! {
            <p>
                <ReadingLink field=field submitted=suggestion>
                    "Read "
                    {number}
                </ReadingLink>
            </p>
        }
    });

    view! {
        <p>{advice.message}</p>
        {suggestion}
    }
}
