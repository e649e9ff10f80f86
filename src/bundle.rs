//! What did the customer send? Opens a folder, an archive, a single file or standard input and hands out its files one
//! by one, whatever they are wrapped in.
//!
//! Opening is the one thing about a bundle that may fail. Once it is open, everything that cannot be read is told in the
//! [`Tally`], and the rest goes on. Nothing is written, no link is followed out of the bundle, no size is believed.

mod archive;
mod folder;
mod layout;
mod limits;
mod meter;
mod paths;
mod source;
mod unlisted;
mod wrapper;
mod zipped;

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};

use jiff::Timestamp;

pub use limits::Limits;
pub use meter::Budget;
pub use paths::names;
pub use source::{FileId, Source};

/// A bundle that could be opened; [`Bundle::walk`] reads it.
#[derive(Debug)]
pub struct Bundle {
    name: String,
    root: Root,
}

#[derive(Debug)]
enum Root {
    Folder(PathBuf),
    File(PathBuf),
    StandardInput,
}

/// Why a bundle could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The path leads nowhere.
    #[error(
        "{0}: there is no such file or folder; a bundle is a folder, an archive (.tar, .tar.gz, .tar.xz, .tar.zst, .tar.bz2, .zip), a text file, or `-` for a tar stream"
    )]
    Missing(String),
    /// The operating system refuses.
    #[error("{path}: cannot be opened: {why}; see who may read it (`ls -ld`), or copy it to a place of your own")]
    Refused {
        /// As given on the command line.
        path: String,
        /// The system's own words.
        why: io::Error,
    },
}

/// One file of the bundle, its body not yet read.
pub struct Entry<'a> {
    /// The place in [`Tally::files`].
    pub id: FileId,
    /// The path inside the bundle, `outer.zip!inner/path` inside a nested archive.
    pub path: &'a str,
    /// The archive's time of the entry; none for a file of a folder, whose times say when it was copied.
    pub modified: Option<Timestamp>,
    /// The content, metered: a read past a limit is an error that names the limit.
    pub body: &'a mut dyn Read,
}

/// What the walk met, beside what the files said.
#[derive(Debug, Default)]
pub struct Tally {
    /// The bundle's name, as given.
    pub name: String,
    /// The path of each file, by [`FileId`].
    pub files: Vec<String>,
    /// Files met, empty and unreadable ones too.
    pub met: u64,
    /// Bytes read, uncompressed.
    pub bytes: u64,
    /// What was not read, and why.
    pub unread: Vec<Unread>,
    /// Symbolic and hard links: the link's path and the path inside the bundle that it names.
    pub links: Vec<(String, String)>,
    /// The folder around everything in an archive, which may name a node.
    pub top: String,
    /// The newest time of an archive's entry.
    pub newest: Option<Timestamp>,
}

/// A file, or a part of the bundle, that was not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread {
    /// The path inside the bundle.
    pub file: String,
    /// What was wrong, and what was read of it.
    pub why: String,
    /// It may have held what shows a failing pull, so that silence about it would be a claim.
    pub hides: bool,
}

impl Tally {
    /// The collectors whose marks the tree bears, with those that contents speak for.
    pub fn layouts(&self, said: &[(&'static str, u32)]) -> Vec<&'static str> {
        layout::recognise(&self.files, said)
    }

    /// Makes of a path that was met on the walk the path as it is told: without the folder around everything and, with
    /// `named`, below the bundle's name.
    pub fn rename(&self, path: &mut String, named: bool) {
        if let Some(rest) = path.strip_prefix(&self.top) {
            *path = rest.to_owned();
        }
        if named {
            *path = format!("{}/{path}", self.name);
        }
    }

    /// Adds what the walk through another bundle met; with `named`, its paths begin with its name.
    pub fn append(&mut self, mut other: Tally, named: bool) {
        if named {
            let lead = |path: &mut String| *path = format!("{}/{path}", other.name);
            other.files.iter_mut().for_each(lead);
            other.unread.iter_mut().map(|u| &mut u.file).for_each(lead);
        } else {
            self.top = other.top;
        }
        self.name = if self.name.is_empty() { other.name } else { format!("{} + {}", self.name, other.name) };
        self.files.append(&mut other.files);
        self.met += other.met;
        self.bytes += other.bytes;
        self.unread.append(&mut other.unread);
        self.links.append(&mut other.links);
        self.newest = self.newest.max(other.newest);
    }
}

/// What the walk hands each file to. An error means that the body could not be read to its end.
pub type Visit<'v> = &'v mut dyn FnMut(Entry<'_>) -> io::Result<()>;

impl Bundle {
    /// Opens the bundle at `path`; `-` is a tar stream on standard input.
    ///
    /// # Errors
    /// [`OpenError`] where the path does not exist or may not be read.
    pub fn open(path: &str) -> Result<Bundle, OpenError> {
        if path == "-" {
            return Ok(Bundle { name: "standard input".into(), root: Root::StandardInput });
        }
        let place = Path::new(path);
        let refused = |why| OpenError::Refused { path: path.into(), why };
        let about = match std::fs::metadata(place) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Err(OpenError::Missing(path.into())),
            Err(e) => return Err(refused(e)),
            Ok(about) => about,
        };
        let root = if about.is_dir() {
            std::fs::read_dir(place).map_err(refused)?;
            Root::Folder(place.to_owned())
        } else {
            File::open(place).map_err(refused)?;
            Root::File(place.to_owned())
        };
        let name = place.file_name().map_or_else(|| path.to_owned(), |n| n.to_string_lossy().into_owned());
        Ok(Bundle { name, root })
    }

    /// The same bundle under another name; none leaves the one that it has.
    #[must_use]
    pub fn called(self, name: Option<String>) -> Bundle {
        Bundle { name: name.unwrap_or(self.name), ..self }
    }

    /// Hands every file of the bundle to `visit`, each once, in the order in which the wrapper holds them (folders by name).
    pub fn walk(self, limits: &Limits, visit: Visit<'_>) -> Tally {
        self.walk_from(0, limits, visit)
    }

    /// The same, where `first` files of other bundles went before: ids go on from there.
    pub fn walk_from(self, first: usize, limits: &Limits, visit: Visit<'_>) -> Tally {
        let mut walk = Walk { tally: Tally { name: self.name.clone(), ..Tally::default() }, budget: Budget::new(limits), limits, visit, first };
        match &self.root {
            Root::Folder(place) => folder::walk(&mut walk, place),
            Root::File(place) => walk.on_disk(&self.name, place),
            Root::StandardInput => walk.wrapped("stdin", "", 0, None, &mut io::stdin().lock()),
        }
        // A folder that somebody gives is the bundle; a folder around everything in an archive is its wrapper.
        walk.close(!matches!(self.root, Root::Folder(_)))
    }
}

/// Walks files that are given as texts: how rules test themselves.
pub fn walk_texts(files: &std::collections::BTreeMap<String, String>, visit: Visit<'_>) -> Tally {
    let limits = Limits::default();
    let mut walk = Walk { tally: Tally::default(), budget: Budget::new(&limits), limits: &limits, visit, first: 0 };
    for (path, text) in files {
        walk.plain(path, None, &mut text.as_bytes());
    }
    walk.tally.bytes = walk.budget.read();
    walk.tally
}

/// The walk under way: what it met so far and what it may still read.
struct Walk<'w> {
    tally: Tally,
    budget: Budget,
    limits: &'w Limits,
    visit: Visit<'w>,
    /// Files of other bundles that went before.
    first: usize,
}

impl Walk<'_> {
    fn unread(&mut self, file: &str, why: impl Into<String>) {
        self.tally.unread.push(Unread { file: file.into(), why: why.into(), hides: true });
    }

    /// What never held evidence: links out of the bundle, devices.
    fn aside(&mut self, file: &str, why: impl Into<String>) {
        self.tally.unread.push(Unread { file: file.into(), why: why.into(), hides: false });
    }

    /// Whether one more file may be met; tells once where the limit lies.
    fn may_go_on(&mut self) -> bool {
        if self.tally.met < self.limits.files && !self.budget.spent() {
            return true;
        }
        if !self.budget.told {
            self.budget.told = true;
            let why = if self.budget.spent() {
                format!("the limit of {} bytes in all is reached (--limit-size); {} files were read before", self.limits.size, self.tally.met)
            } else {
                format!("the limit of {} files is reached (--limit-files); {} bytes were read before", self.limits.files, self.budget.read())
            };
            let name = self.tally.name.clone();
            self.unread(&name, why);
        }
        false
    }

    /// A file on disk. A zip is read where it lies, since its list stands at its end.
    fn on_disk(&mut self, path: &str, place: &Path) {
        let mut file = match File::open(place) {
            Ok(file) => file,
            Err(e) => return self.unread(path, format!("cannot be opened: {e}")),
        };
        let mut head = [0; 4];
        let got = file.read(&mut head).unwrap_or(0);
        let head = head.get(..got).unwrap_or_default();
        let is_zip = matches!(wrapper::wrapper(head), wrapper::Wrapper::Zip) && self.limits.depth > 0;
        match file.rewind() {
            Ok(()) if is_zip => zipped::unzip_file(self, path, &mut file),
            Ok(()) => self.wrapped(path, "", 0, None, &mut io::BufReader::new(file)),
            // A pipe cannot be wound back; what was taken off it is put in front.
            Err(_) => self.wrapped(path, "", 0, None, &mut head.chain(io::BufReader::new(file))),
        }
    }

    /// One file that may itself be an archive or compressed: looks at its first bytes and goes on as they say.
    fn wrapped(&mut self, path: &str, inside: &str, depth: u32, modified: Option<Timestamp>, body: &mut dyn Read) {
        archive::unwrap(self, path, inside, depth, modified, body);
    }

    /// A file that is no archive: hand it out.
    fn plain(&mut self, path: &str, modified: Option<Timestamp>, body: &mut dyn Read) {
        self.tally.met += 1;
        self.tally.newest = self.tally.newest.max(modified);
        let id = FileId::new(self.first + self.tally.files.len());
        self.tally.files.push(path.to_owned());
        let mut metered = meter::Metered::new(body, &mut self.budget, self.limits.file);
        let outcome = (self.visit)(Entry { id, path, modified, body: &mut metered });
        if let Err(e) = outcome {
            self.unread(path, archive::told("damaged or cut short, and read as far as it goes", &e));
        }
    }

    fn close(mut self, strip: bool) -> Tally {
        self.tally.bytes = self.budget.read();
        if strip {
            paths::strip_common_top(&mut self.tally);
        }
        self.tally
    }
}
