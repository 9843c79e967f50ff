//! QR codes as drawings: which of their squares are dark.

use std::fmt::Write;

use crossvat_app::portal::QrDrawing;
use qrcodegen::{QrCode, QrCodeEcc};

/// Light squares around it, which readers need (ISO/IEC 18004, section 5.3.8).
const MARGIN: i32 = 4;

/// The drawing of a text; `None` when it is longer than any QR code.
pub(super) fn draw(text: &str) -> Option<QrDrawing> {
    let code = QrCode::encode_text(text, QrCodeEcc::Medium).ok()?;
    let mut path = String::new();
    for y in 0..code.size() {
        let mut x = 0;
        while x < code.size() {
            let dark = (x..code.size()).take_while(|x| code.get_module(*x, y)).count();
            if dark > 0 {
                // Writing into a text cannot fail.
                let _ = write!(path, "M{} {}h{dark}v1h-{dark}z", x + MARGIN, y + MARGIN);
            }
            x += i32::try_from(dark).ok()?.max(1);
        }
    }
    Some(QrDrawing { side: code.size() + 2 * MARGIN, path })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_dark_square_is_drawn_once_and_no_light_one() {
        let text = "otpauth://totp/Crossvat:helen%40acme.example?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
        let code = QrCode::encode_text(text, QrCodeEcc::Medium).expect("short enough");
        let drawing = draw(text).expect("short enough");
        let mut drawn = Vec::new();
        for part in drawing.path.split('M').skip(1) {
            let (x, rest) = part.split_once(' ').expect("a place");
            let (y, rest) = rest.split_once('h').expect("a run");
            let (run, _) = rest.split_once('v').expect("a run");
            let (x, y, run): (i32, i32, i32) =
                (x.parse().expect("x"), y.parse().expect("y"), run.parse().expect("run"));
            assert_eq!(rest, format!("{run}v1h-{run}z"));
            drawn.extend((x..x + run).map(|x| (x - MARGIN, y - MARGIN)));
        }
        let size = code.size();
        let mut dark: Vec<_> = (0..size).flat_map(|y| (0..size).map(move |x| (x, y))).collect();
        dark.retain(|(x, y)| code.get_module(*x, *y));
        assert_eq!((drawn, drawing.side), (dark, size + 8));
        assert!(draw(&"a".repeat(3000)).is_none());
    }
}
