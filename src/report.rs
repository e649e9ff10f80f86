//! How is the verdict told? Each form sees the verdict only, and derives nothing.

mod affected;
pub mod compare;
pub mod contents;
pub mod json;
pub mod text;
pub mod trace;
