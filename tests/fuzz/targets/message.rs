//! Does any text make the grammar panic, hang or tell an impossible span?
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let reading = underpod::message::read(text);
    for attempt in &reading.attempts {
        if let Some((first, last)) = attempt.span {
            assert!(first <= last);
        }
        let _ = underpod::text::redact(&attempt.text);
        let _ = underpod::text::visible(&attempt.text);
    }
});
