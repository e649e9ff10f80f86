//! What is this file wrapped in? Told by its first bytes, never by its name.

use std::io::{self, BufRead, BufReader, Read};

use flate2::read::MultiGzDecoder;

/// Enough of a file to tell a tar: its mark stands at byte 257, its sum covers the whole header.
pub(super) const HEAD: usize = 512;

/// The most memory that an xz stream may ask for; `xz -9` asks for 64 MiB.
const XZ_KIB: u32 = 256 << 10;

pub(super) enum Wrapper {
    Tar,
    Packed(Packing),
    Zip,
    /// Another archiver's, which is not read.
    Foreign(&'static str),
    None,
}

/// How a stream is compressed.
#[derive(Clone, Copy)]
pub(super) enum Packing {
    Gzip,
    Xz,
    Zstd,
    Bzip2,
}

impl Packing {
    /// The stream behind it. Streams of several members, as log rotation and parallel tools write them, are read whole.
    pub(super) fn unpacked<'a>(self, packed: impl Read + 'a) -> io::Result<Box<dyn Read + 'a>> {
        let packed = BufReader::new(packed);
        Ok(match self {
            Packing::Gzip => Box::new(MultiGzDecoder::new(packed)),
            Packing::Xz => Box::new(lzma_rust2::XzReader::new_mem_limit(packed, true, XZ_KIB)),
            Packing::Zstd => Box::new(Frames::new(packed)?),
            Packing::Bzip2 => Box::new(bzip2::read::MultiBzDecoder::new(packed)),
        })
    }
}

/// A zstd stream of one frame after another.
struct Frames<R: BufRead> {
    frame: Option<ruzstd::decoding::StreamingDecoder<R, ruzstd::decoding::FrameDecoder>>,
}

impl<R: BufRead> Frames<R> {
    fn new(packed: R) -> io::Result<Self> {
        Ok(Frames { frame: Some(ruzstd::decoding::StreamingDecoder::new(packed).map_err(io::Error::other)?) })
    }
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let Some(frame) = self.frame.as_mut() else { return Ok(0) };
            let got = frame.read(buffer)?;
            if got > 0 || buffer.is_empty() {
                return Ok(got);
            }
            let Some(frame) = self.frame.take() else { return Ok(0) };
            let mut rest = frame.into_inner();
            if rest.fill_buf()?.is_empty() {
                return Ok(0);
            }
            *self = Frames::new(rest)?;
        }
    }
}

pub(super) fn wrapper(head: &[u8]) -> Wrapper {
    match head {
        [0x1f, 0x8b, 8, ..] => Wrapper::Packed(Packing::Gzip),
        [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Wrapper::Zip,
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Wrapper::Packed(Packing::Xz),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => Wrapper::Packed(Packing::Zstd),
        [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, ..] => Wrapper::Packed(Packing::Bzip2),
        [b'7', b'z', 0xbc, 0xaf, 0x27, 0x1c, ..] => Wrapper::Foreign("7z"),
        [b'R', b'a', b'r', b'!', 0x1a, 7, ..] => Wrapper::Foreign("rar"),
        [0x04, 0x22, 0x4d, 0x18, ..] => Wrapper::Foreign("lz4"),
        [0x1f, 0x9d, ..] => Wrapper::Foreign("compress (.Z)"),
        [b'M', b'S', b'C', b'F', 0, 0, 0, 0, ..] => Wrapper::Foreign("cab"),
        [0x5d, 0, 0, _, 0, ..] => Wrapper::Foreign("lzma"),
        _ if head.get(257..262) == Some(b"ustar") || is_old_tar(head) => Wrapper::Tar,
        _ => Wrapper::None,
    }
}

/// Tars from before POSIX bear no mark, but the sum of their header.
fn is_old_tar(head: &[u8]) -> bool {
    let (Some(header), Some(field)) = (head.get(..HEAD), head.get(148..156)) else { return false };
    let told = std::str::from_utf8(field).ok().and_then(|f| u32::from_str_radix(f.trim_matches(['\0', ' ']), 8).ok());
    let sum: u32 = header.iter().enumerate().map(|(at, byte)| if (148..156).contains(&at) { 32 } else { u32::from(*byte) }).sum();
    told == Some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zstd_frames_follow_one_another() {
        let frame = |text: &[u8]| ruzstd::encoding::compress_to_vec(text, ruzstd::encoding::CompressionLevel::Fastest);
        let both = [frame(b"one "), frame(b"two")].concat();
        let mut out = String::new();
        Packing::Zstd.unpacked(both.as_slice()).unwrap().read_to_string(&mut out).unwrap();
        assert_eq!(out, "one two");
    }

    #[test]
    fn a_tar_without_a_mark_is_told_by_its_sum() {
        let mut header = tar::Header::new_old();
        header.set_path("a.txt").unwrap();
        header.set_size(1);
        header.set_cksum();
        assert!(matches!(wrapper(header.as_bytes()), Wrapper::Tar));
        assert!(matches!(wrapper(&[b'a'; 600]), Wrapper::None));
    }
}
