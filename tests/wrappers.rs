//! Is the same evidence the same, whatever it is wrapped in? Folder, archives, archives in archives, encodings, cuts.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::cases::cases;
use crate::support::{self, Scratch, explain, root};

type Files = Vec<(String, Vec<u8>)>;

/// Findings without what the wrapper itself adds: the archive in front of a path, a folder around everything.
fn findings(run: &support::Run, files: &Files) -> String {
    let first = files.first().map_or("", |(path, _)| path.as_str());
    let tops: Vec<String> = first.split_inclusive('/').map(str::to_owned).collect();
    let mut around = Vec::new();
    for top in tops {
        around.push(top);
        if !files.iter().all(|(path, _)| path.starts_with(&around.concat())) {
            around.pop();
            break;
        }
    }
    fn bare(value: &mut serde_json::Value, around: &[String]) {
        match value {
            serde_json::Value::Object(fields) => {
                if let Some(file) = fields.get_mut("file")
                    && let Some((_, inner)) = file.as_str().and_then(|f| f.split_once("whole!"))
                {
                    *file = inner.into();
                }
                if let Some(sent) = fields.get_mut("sent")
                    && let Some((_, inner)) = sent.as_str().and_then(|f| f.split_once("whole!"))
                {
                    *sent = inner.into();
                }
                for (top, key) in around.iter().flat_map(|top| [(top, "file"), (top, "sent")]) {
                    if let Some(rest) = fields.get(key).and_then(|f| f.as_str()?.strip_prefix(top.as_str())).map(str::to_owned) {
                        fields.insert(key.into(), rest.into());
                    }
                }
                // A sentence names the file in its midst.
                if let Some(why) = fields.get("why").and_then(|w| w.as_str()) {
                    let why = around.iter().fold(why.replace("whole!", ""), |w, top| w.replace(top.as_str(), ""));
                    fields.insert("why".into(), why.into());
                }
                fields.values_mut().for_each(|v| bare(v, around));
            }
            serde_json::Value::Array(list) => list.iter_mut().for_each(|v| bare(v, around)),
            _ => {}
        }
    }
    let mut report = run.json();
    bare(&mut report["findings"], &around);
    format!("{} {} {}", run.code, report["findings"], report["recovered"])
}

fn files(root: &Path, folder: &Path, out: &mut Files) {
    let mut entries: Vec<_> = std::fs::read_dir(folder).unwrap().flatten().map(|e| e.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(root, &path, out);
        } else {
            out.push((path.strip_prefix(root).unwrap().to_string_lossy().into_owned(), std::fs::read(&path).unwrap()));
        }
    }
}

/// A tar below `top`, without times: a folder's tell nothing either.
fn tar(files: &Files, top: &str) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (inside, content) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        builder.append_data(&mut header, format!("{top}/{inside}"), content.as_slice()).unwrap();
    }
    builder.into_inner().unwrap()
}

fn zip(files: &Files, separator: &str) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (inside, content) in files {
        zip.start_file(inside.replace('/', separator), zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(content).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

fn xz(bytes: &[u8]) -> Vec<u8> {
    let mut out = lzma_rust2::XzWriter::new(Vec::new(), lzma_rust2::XzOptions::with_preset(0)).unwrap();
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut out = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
}

fn wrappers(files: &Files) -> Vec<(&'static str, Vec<u8>)> {
    let (plain, topped) = (tar(files, "."), tar(files, "case-4711"));
    let one = |name: &str, bytes: Vec<u8>| tar(&vec![(name.to_owned(), bytes)], ".");
    vec![
        ("tar", plain.clone()),
        ("tar.gz", gzip(&plain)),
        ("tar.gz with a top folder", gzip(&topped)),
        ("tar.xz", xz(&plain)),
        ("tar.zst", zstd(&plain)),
        ("tar.bz2 with a top folder", bzip2(&topped)),
        ("zip", zip(files, "/")),
        ("zip of Windows", zip(files, "\\")),
        ("zip in tar.gz", gzip(&one("whole", zip(files, "/")))),
        ("tar.gz in zip", zip(&vec![("whole".to_owned(), gzip(&plain))], "/")),
        ("tar.xz in tar", one("whole", xz(&plain))),
        ("gz around tar.zst", gzip(&zstd(&plain))),
    ]
}

fn bundles() -> Vec<(String, PathBuf, Files)> {
    cases()
        .into_iter()
        .map(|name| {
            let folder = root().join(format!("testdata/{name}/bundle"));
            let mut content = Vec::new();
            files(&folder, &folder, &mut content);
            (name, folder, content)
        })
        .collect()
}

#[test]
fn every_wrapper_gives_the_same_findings() {
    let scratch = Scratch::new("wrappers");
    for (name, folder, files) in bundles() {
        let plain = findings(&explain(&folder), &files);
        // What the reading of a wrapper depends on is tried with every case, each compression with some.
        let few = name.starts_with("layout-");
        for (wrapper, bytes) in wrappers(&files).into_iter().filter(|(w, _)| !few || w.contains("top") || w.contains("in")) {
            let path = scratch.write("whole", bytes);
            assert_eq!(findings(&explain(&path), &files), plain, "{name} as {wrapper}");
        }
    }
}

/// Windows tools and editors change the encoding, not the evidence. Archives inside stay as they are.
#[test]
fn every_encoding_gives_the_same_findings() {
    let utf16 = |text: &str, unit: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(unit).collect::<Vec<u8>>();
    for (name, folder, files) in bundles() {
        let plain = findings(&explain(&folder), &files);
        for (encoding, how) in [
            ("CRLF", Box::new(|t: &str| t.replace('\n', "\r\n").into_bytes()) as Box<dyn Fn(&str) -> Vec<u8>>),
            ("BOM", Box::new(|t: &str| format!("\u{FEFF}{t}").into_bytes())),
            ("UTF-16 LE", Box::new(|t: &str| utf16(&format!("\u{FEFF}{t}"), u16::to_le_bytes))),
            ("UTF-16 BE", Box::new(|t: &str| utf16(&format!("\u{FEFF}{t}"), u16::to_be_bytes))),
        ] {
            let scratch = Scratch::new("encodings");
            for (path, content) in &files {
                match std::str::from_utf8(content) {
                    Ok(text) if !text.is_empty() => scratch.write(path, how(text)),
                    _ => scratch.write(path, content),
                };
            }
            assert_eq!(findings(&explain(scratch.path()), &files), plain, "{name} in {encoding}");
        }
    }
}

/// Each file packed by itself, as log rotation leaves it.
#[test]
fn files_packed_one_by_one_are_read() {
    for (name, folder, files) in bundles() {
        let plain = explain(&folder).json();
        let scratch = Scratch::new("singles");
        for (path, content) in &files {
            scratch.write(&format!("{path}.gz"), gzip(content));
        }
        let packed = explain(scratch.path()).json();
        let told = |report: &serde_json::Value| {
            report["findings"].as_array().unwrap().iter().map(|f| format!("{} {} {}", f["stop"], f["cause"], f["certainty"])).collect::<Vec<_>>()
        };
        assert_eq!(told(&packed), told(&plain), "{name}");
    }
}

/// A cut anywhere: an answer, the cut told, and no claim of health where there was a failure.
#[test]
fn cut_archives_give_what_came_before() {
    let scratch = Scratch::new("cut-wrappers");
    let (_, folder, files) = bundles().into_iter().find(|(name, ..)| name == "no-route").unwrap();
    let plain = findings(&explain(&folder), &files);
    for (wrapper, bytes) in wrappers(&files) {
        for part in 1..24 {
            let path = scratch.write("whole", bytes.get(..bytes.len() * part / 24).unwrap());
            let run = explain(&path);
            assert_ne!(run.code, 0, "{wrapper} at {part}/24 claims health");
            // Where only an archive's padding is gone, nothing is.
            if run.code != 2 && findings(&run, &files) != plain {
                assert!(run.json()["bundle"]["unread"].as_array().is_some_and(|u| !u.is_empty()), "{wrapper} at {part}/24 tells no cut");
            }
        }
    }
}

#[test]
fn a_zip_without_its_list_is_read_entry_by_entry() {
    let scratch = Scratch::new("unlisted");
    let (_, folder, files) = bundles().into_iter().find(|(name, ..)| name == "no-route").unwrap();
    let plain = findings(&explain(&folder), &files);
    let whole = zip(&files, "/");
    let list = whole.windows(4).position(|w| w == b"PK\x01\x02").unwrap();
    let run = explain(&scratch.write("whole", &whole[..list]));
    assert_eq!(findings(&run, &files), plain, "{}", run.err);
    assert!(run.json()["bundle"]["unread"][0]["why"].as_str().unwrap().contains("cut short"));
}
