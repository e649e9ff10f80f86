//! How much was read, and is it still within the limits? Every byte of a bundle passes through here.

use std::cell::Cell;
use std::io::{self, Read};
use std::rc::Rc;

use super::Limits;

/// What the whole walk may still read.
#[derive(Debug)]
pub struct Budget {
    left: u64,
    size: u64,
    pub(super) told: bool,
}

impl Budget {
    pub(super) fn new(limits: &Limits) -> Budget {
        Budget { left: limits.size, size: limits.size, told: false }
    }

    pub(super) fn read(&self) -> u64 {
        self.size - self.left
    }

    pub(super) fn spent(&self) -> bool {
        self.left == 0
    }
}

/// One file's body, stopped at the file's own limit and at the whole walk's.
pub(super) struct Metered<'a> {
    inner: &'a mut dyn Read,
    budget: &'a mut Budget,
    most: u64,
    seen: u64,
}

impl<'a> Metered<'a> {
    pub(super) fn new(inner: &'a mut dyn Read, budget: &'a mut Budget, most: u64) -> Self {
        Metered { inner, budget, most, seen: 0 }
    }
}

impl Read for Metered<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.seen >= self.most {
            return Err(io::Error::other(format!("larger than the limit of {} bytes for one file (--limit-file); that much was read", self.most)));
        }
        let room = self.budget.left.min(self.most - self.seen);
        if room == 0 && !buffer.is_empty() {
            return Err(io::Error::other(format!(
                "the limit of {} bytes in all is reached (--limit-size); {} bytes of this file were read",
                self.budget.size, self.seen
            )));
        }
        let length = buffer.len().min(usize::try_from(room).unwrap_or(usize::MAX));
        let got = self.inner.read(buffer.get_mut(..length).unwrap_or_default())?;
        self.seen += got as u64;
        self.budget.left -= got as u64;
        Ok(got)
    }
}

/// Counts what a decompressor takes in, so that [`Inflated`] can compare.
pub(super) struct Counted<'a> {
    inner: &'a mut dyn Read,
    count: Rc<Cell<u64>>,
}

impl<'a> Counted<'a> {
    pub(super) fn new(inner: &'a mut dyn Read) -> (Self, Rc<Cell<u64>>) {
        let count = Rc::new(Cell::new(0));
        (Counted { inner, count: Rc::clone(&count) }, count)
    }
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let got = self.inner.read(buffer)?;
        self.count.set(self.count.get() + got as u64);
        Ok(got)
    }
}

/// What a decompressor gives out, stopped where it is out of all proportion to what went in.
pub(super) struct Inflated<R> {
    inner: R,
    taken: Rc<Cell<u64>>,
    given: u64,
    ratio: u64,
}

/// Below this, any ratio is harmless.
const HARMLESS: u64 = 1 << 20;

impl<R: Read> Inflated<R> {
    pub(super) fn new(inner: R, taken: Rc<Cell<u64>>, ratio: u64) -> Self {
        Inflated { inner, taken, given: 0, ratio }
    }
}

impl<R: Read> Read for Inflated<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let got = self.inner.read(buffer)?;
        self.given += got as u64;
        if self.given > HARMLESS && self.given / self.ratio > self.taken.get().max(1) {
            return Err(io::Error::other(format!("unpacks to more than {} times its size (--limit-ratio); {} bytes were read", self.ratio, self.given)));
        }
        Ok(got)
    }
}
