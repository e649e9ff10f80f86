//! Does any file, under any of the names that readers know, make the way from bytes to a report panic?
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::collections::BTreeMap;

const NAMES: [&str; 12] = [
    "events.json", "pods.yaml", "describe.txt", "get-events.txt", "etc/resolv.conf", "etc/hosts", "ip-route.txt", "dig.txt", "kubelet.log", "chain.pem",
    "etc/containerd/certs.d/r.example/hosts.toml", "error.txt",
];

fuzz_target!(|input: (u8, String)| {
    let (which, text) = input;
    let name = NAMES[usize::from(which) % NAMES.len()];
    let facts = underpod::rules::check::facts_of(&BTreeMap::from([(name.to_owned(), text)]));
    let rules = underpod::rules::Rules::shipped().expect("the shipped rules load");
    let index = underpod::pull::Index::of(&facts);
    let pulls = underpod::pull::climb(&facts, &index);
    let verdict = underpod::verdict::weigh(&facts, &index, &pulls, &rules, &underpod::pull::Filter::default());
    let _ = underpod::report::text::write(&verdict, underpod::report::text::Extent::default());
    let _ = underpod::report::json::write(&verdict);
});
