//! `QrCode`: a QR code, dark on light in every theme, because readers expect it so.

use leptos::prelude::*;

use crate::portal::QrDrawing;

/// The drawing.
#[component]
pub(crate) fn QrCode(
    /// What is drawn.
    drawing: QrDrawing,
    /// What it is, for those who do not see it.
    label: &'static str,
) -> impl IntoView {
    let view_box = format!("0 0 {side} {side}", side = drawing.side);

    view! {
        <svg class="qr-code" viewBox=view_box role="img" aria-label=label>
            <path d=drawing.path></path>
        </svg>
    }
    .into_any()
}
