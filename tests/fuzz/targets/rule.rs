//! Does any text of a rule's comparison make the parser panic or run away?
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = underpod::rules::predicate::parse(text);
});
