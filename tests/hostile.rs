//! What can a stranger's bundle do? Fill no memory, write no file, lead nowhere, move no cursor, and never make it panic.

use std::io::Write as _;

use crate::support::{Scratch, explain, underpod};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

/// A tar of the entries; names are written as they are, `..` and all.
fn tar_of(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, content) in entries {
        let mut header = tar::Header::new_ustar();
        header.as_mut_bytes()[..name.len().min(100)].copy_from_slice(&name.as_bytes()[..name.len().min(100)]);
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        builder.append(&header, *content).unwrap();
    }
    builder.into_inner().unwrap()
}

const ERROR: &str = "Failed to pull image \"r.example/a:1\": failed to do request: Head \"https://r.example/v2/a/manifests/1\": x509: certificate signed by unknown authority\n";

fn why(run: &crate::support::Run) -> String {
    run.json()["bundle"]["unread"].to_string()
}

#[test]
fn a_bomb_stops_at_the_ratio_and_the_rest_is_read() {
    let scratch = Scratch::new("bomb");
    scratch.write("error.txt", ERROR);
    scratch.write("bomb.log.gz", gzip(&[b"E1130 10:00:00.000000    1 a.go:1] x\n".to_vec(), vec![b'\n'; 64 << 20]].concat()));
    let run = underpod(&["explain", scratch.path().to_str().unwrap(), "--format", "json", "--limit-ratio", "100"]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(why(&run).contains("--limit-ratio"), "{}", why(&run));
}

#[test]
fn size_and_count_limits_are_told() {
    let scratch = Scratch::new("limits");
    scratch.write("a.txt", ERROR);
    scratch.write("b.json", format!("{{\"kind\":\"PodList\",\"items\":[{}]}}", "{},".repeat(200_000).trim_end_matches(',')));
    let path = scratch.path().to_str().unwrap();
    let run = underpod(&["explain", path, "--format", "json", "--limit-file", "100000"]);
    assert!(why(&run).contains("--limit-file") && run.code == 1, "{}", why(&run));
    let run = underpod(&["explain", path, "--format", "json", "--limit-size", "100000"]);
    assert!(why(&run).contains("--limit-size") && run.code == 1, "{}", why(&run));
    let run = underpod(&["explain", path, "--format", "json", "--limit-files", "1"]);
    assert!(why(&run).contains("--limit-files") && run.code == 1, "{}", why(&run));
}

#[test]
fn archives_inside_archives_end_at_the_depth() {
    let scratch = Scratch::new("depth");
    let mut inner = tar_of(&[("error.txt", ERROR.as_bytes())]);
    for _ in 0..10 {
        inner = gzip(&tar_of(&[("inner.tar.gz", &inner)]));
    }
    let outer = tar_of(&[("error.txt", ERROR.as_bytes()), ("inner.tar.gz", &inner)]);
    let run = explain(&scratch.write("outer.tar", outer));
    assert_eq!(run.code, 1);
    assert!(why(&run).contains("--limit-depth"), "{}", why(&run));
}

#[test]
fn paths_and_links_never_lead_out() {
    let scratch = Scratch::new("paths");
    let outer = tar_of(&[("../../evil.txt", ERROR.as_bytes()), ("/etc/error.txt", ERROR.as_bytes())]);
    let run = explain(&scratch.write("paths.tar", outer));
    assert_eq!(run.code, 1);
    assert!(why(&run).contains("leads out of the bundle"), "{}", why(&run));
    assert!(!scratch.path().join("../../evil.txt").exists());

    std::fs::create_dir_all(scratch.path().join("folder")).unwrap();
    scratch.write("folder/error.txt", ERROR);
    scratch.write("outside.txt", "root:x:0:0");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("../outside.txt", scratch.path().join("folder/link")).unwrap();
        std::os::unix::fs::symlink(".", scratch.path().join("folder/loop")).unwrap();
        let run = explain(&scratch.path().join("folder"));
        assert_eq!(run.code, 1);
        assert!(why(&run).contains("a link that leads out of the bundle"), "{}", why(&run));
    }
}

#[test]
fn a_cut_archive_gives_what_came_before_the_cut() {
    let scratch = Scratch::new("cut");
    let filler: Vec<u8> = (0..200_000u32).flat_map(|i| (i.wrapping_mul(2_654_435_761)).to_le_bytes()).collect();
    let whole = gzip(&tar_of(&[("error.txt", ERROR.as_bytes()), ("filler.bin", &filler)]));
    for part in [2, 3, 10] {
        let run = explain(&scratch.write("cut.tar.gz", &whole[..whole.len() - whole.len() / part]));
        assert_eq!(run.code, 1, "{}", run.err);
        assert!(why(&run).contains("damaged or cut short") || why(&run).contains("filler"), "{}", why(&run));
    }
}

#[test]
fn endless_lines_and_deep_nesting_end() {
    let scratch = Scratch::new("endless");
    scratch.write("error.txt", ERROR);
    scratch.write("kubelet.log", format!("E1130 10:00:00.000000    1 a.go:1] \"x\" err=\"{}\"\n", "PullImage ".repeat(1_000_000)));
    scratch.write("deep.json", "[".repeat(200_000));
    scratch.write("closed.json", "[".repeat(200_000) + &"]".repeat(200_000));
    scratch.write("lists.json", "{\"kind\":\"List\",\"items\":[".repeat(20_000) + &"]}".repeat(20_000));
    scratch.write("deep.yaml", format!("apiVersion: v1\nkind: Pod\nmetadata: {}", "{a: ".repeat(20_000)));
    scratch.write("alias.yaml", "kind: Pod\nmetadata: &a\n  name: x\nspec: *a\n");
    scratch.write("noise.json", b"{\"kind\":\"PodList\",\"items\":[{\"metadata\":{\"name\":\xff\xfe}}]}");
    let run = explain(scratch.path());
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(why(&run).contains("alias"), "{}", why(&run));
}

#[test]
fn control_characters_do_not_reach_a_terminal() {
    let scratch = Scratch::new("control");
    let path = scratch.write("error.txt", ERROR.replace("r.example/a:1", "r.example/a\u{1b}[2J\u{202e}:1"));
    let run = underpod(&["explain", path.to_str().unwrap(), "--color", "never"]);
    assert!(!run.out.contains('\u{1b}') && !run.out.contains('\u{202e}'), "{}", run.out);
}

/// One sample of every file name in testdata and in the rules' own tests: each reader has several.
fn samples() -> std::collections::BTreeMap<String, Vec<u8>> {
    let plain = |path: &str| path.rsplit('/').next().unwrap_or(path).chars().filter(|c| !c.is_ascii_digit()).collect::<String>();
    let mut out = std::collections::BTreeMap::new();
    let mut files = Vec::new();
    collect(&crate::support::root().join("testdata"), &mut files);
    for path in files.iter().filter(|p| p.components().any(|c| c.as_os_str() == "bundle")) {
        out.entry(plain(&path.to_string_lossy())).or_insert_with(|| std::fs::read(path).unwrap());
    }
    let mut rules = Vec::new();
    collect(&crate::support::root().join("rules"), &mut rules);
    for path in rules {
        let rule: serde_yaml::Value = serde_yaml::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let Some(tests) = rule.get("tests") else { continue };
        let cases = tests.get("cases").and_then(|c| c.as_sequence()).into_iter().flatten().filter_map(|c| c.get("with"));
        for given in tests.get("given").into_iter().chain(cases).filter_map(|m| m.as_mapping()) {
            for (name, text) in given.iter().filter_map(|(name, text)| Some((name.as_str()?, text.as_str()?))) {
                out.entry(plain(name)).or_insert_with(|| text.as_bytes().to_vec());
            }
        }
    }
    out
}

/// Every sample, cut at many places, with garbage in the middle and in the wrong encoding: the rest is still explained.
#[test]
fn damaged_artefacts_cost_only_themselves() {
    let scratch = Scratch::new("damaged");
    let witness = r#"{"kind":"EventList","items":[{"reason":"Failed","involvedObject":{"kind":"Pod","namespace":"zz","name":"zz"},"source":{"component":"kubelet","host":"zz-node"},"lastTimestamp":"2026-11-30T08:05:00Z","message":"Failed to pull image \"zz.example/zz:1\": dial tcp 10.1.1.1:443: i/o timeout"}]}"#;
    scratch.write("zz/events.json", witness);
    let samples = samples();
    assert!(samples.len() > 150, "{}", samples.len());
    for (name, whole) in samples {
        let middle = whole.len() / 2;
        let mut garbled = whole.clone();
        garbled.splice(middle..middle, [0xff, 0x00, b'{', b'"', 0xc3, b'\n', b'\\']);
        let mut all = vec![garbled, whole.iter().flat_map(|b| [*b, 0]).collect(), whole.iter().map(|b| if b % 7 == 0 { 0xe9 } else { *b }).collect()];
        for ninth in [1, 2, 4, 5, 7, 8] {
            let part = (whole.len() * ninth / 9 + ninth).min(whole.len());
            all.extend([whole[..part].to_vec(), whole[part..].to_vec()]);
        }
        all.push(whole[..whole.len().saturating_sub(3)].to_vec());
        let written: Vec<_> = all.iter().enumerate().map(|(i, bytes)| scratch.write(&format!("{i}/{name}"), bytes)).collect();
        let run = explain(scratch.path());
        assert!([1, 3].contains(&run.code), "{name}: {} {}", run.code, run.err);
        assert!(run.out.contains("zz.example/zz:1"), "{name}: {}", run.out);
        written.iter().for_each(|p| std::fs::remove_file(p).unwrap());
    }
}

/// A zip in the middle of a stream is taken into memory: no further than one file may go.
#[test]
fn a_zip_in_a_stream_is_bounded() {
    use std::io::Write as _;
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    zip.start_file("events.json", zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored)).unwrap();
    zip.write_all(&vec![b' '; 300_000]).unwrap();
    let zip = zip.finish().unwrap().into_inner();
    let scratch = Scratch::new("zip-in-stream");
    let path = scratch.write("b.tar.gz", gzip(&tar_of(&[("inner.zip", &zip), ("error.txt", ERROR.as_bytes())])));
    let run = underpod(&["explain", path.to_str().unwrap(), "--format", "json", "--limit-file", "100000"]);
    assert!(why(&run).contains("--limit-file") && run.json()["findings"].as_array().unwrap().len() == 1, "{} {}", run.code, run.out);
}

fn collect(folder: &std::path::Path, out: &mut Vec<std::path::PathBuf>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder).unwrap().flatten().map(|e| e.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() { collect(&path, out) } else { out.push(path) }
    }
}

/// A list that `tail -c` or a full disk cut, in each form: whole objects count, and the cut is told.
#[test]
fn lists_cut_at_either_end_give_their_whole_objects() {
    let event = |n: u32| {
        let message = "Failed to pull image \\\"r.example/a:1\\\": failed to do request: Head \\\"https://r.example/v2/a/manifests/1\\\": x509: certificate signed by unknown authority";
        format!(
            r#"{{"involvedObject":{{"kind":"Pod","name":"a-{n}","namespace":"shop"}},"lastTimestamp":"2026-11-30T08:0{n}:00Z","message":"{message}","metadata":{{"name":"a-{n}.1"}},"reason":"Failed","source":{{"host":"node-1"}}}}"#
        )
    };
    let compact = format!(r#"{{"apiVersion":"v1","items":[{}],"kind":"EventList","metadata":{{}}}}"#, (0..6).map(event).collect::<Vec<_>>().join(","));
    let value: serde_json::Value = serde_json::from_str(&compact).unwrap();
    for (form, text) in
        [("compact", compact.clone()), ("indented", serde_json::to_string_pretty(&value).unwrap()), ("yaml", serde_yaml::to_string(&value).unwrap())]
    {
        let scratch = Scratch::new("cut-lists");
        for at in (text.len() / 5..text.len() * 3 / 5).step_by(31) {
            for part in [text.get(at..).unwrap(), text.get(..text.len() - at).unwrap()] {
                let run = explain(&scratch.write("events.txt", part));
                assert_eq!(run.code, 1, "{form} at {at}: {}{}", run.out, run.err);
                assert_eq!(run.json()["findings"][0]["cause"], "tls/issuer-not-trusted-by-node", "{form} at {at}");
                assert!(!run.json()["bundle"]["unread"].as_array().unwrap().is_empty(), "{form} at {at}: the cut is not told: {part}");
            }
        }
    }
}
