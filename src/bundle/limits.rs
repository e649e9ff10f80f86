//! How much may a bundle cost? In bytes, files and depth, never in seconds: the same bundle gives the same answer anywhere.

/// The most that a walk reads. Each limit has a flag, and an error that names it.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Uncompressed bytes in all.
    pub size: u64,
    /// Uncompressed bytes of one file.
    pub file: u64,
    /// Uncompressed bytes for each compressed one, once a megabyte is through.
    pub ratio: u64,
    /// Files.
    pub files: u64,
    /// Archives inside archives.
    pub depth: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { size: 64 << 30, file: 1 << 30, ratio: 1000, files: 1_000_000, depth: 6 }
    }
}
