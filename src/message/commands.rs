//! Which image did somebody ask for by hand? The command stands before what it printed.
//!
//! `$ crictl pull registry.corp.example/team/app:1.0`

use super::Reference;
use super::token::{Parsed, Token};

/// Commands that pull one image, and whether it is the node's own runtime that they ask.
const COMMANDS: [(&str, bool); 9] = [
    ("crictl pull ", true),
    ("docker pull ", false),
    ("docker image pull ", false),
    ("podman pull ", false),
    ("nerdctl pull ", false),
    ("ctr images pull ", false),
    ("ctr image pull ", false),
    ("ctr i pull ", false),
    ("k8s.io images pull ", false),
];

/// The image is the command's last word, behind its options.
pub(super) fn token(input: &str) -> Parsed<'_> {
    let found = COMMANDS.iter().find_map(|(command, of_node)| Some((input.strip_prefix(command)?, *of_node)));
    let Some((rest, of_node)) = found else { return super::go::fail(input) };
    let end = rest.find(['\n', '\r', '|', '>', '&', ';', '`', '\'', '"', ')']).unwrap_or(rest.len());
    let Some((words, after)) = rest.split_at_checked(end) else { return super::go::fail(input) };
    let image = words.split_whitespace().next_back().filter(|w| !w.starts_with('-') && Reference::parse(w).is_some());
    // What follows on the line is more than a command.
    let few = words.split_whitespace().count() == 1 || words.trim_start().starts_with('-');
    match image.filter(|_| few && (!after.is_empty() || words.ends_with(char::is_whitespace))) {
        Some(image) => Ok((after, Token::Asked { image: image.to_owned(), of_node })),
        None => super::go::fail(input),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_image_stands_last() {
        let image = |text| token(text).ok().map(|(_, t)| t);
        let asked = |image: &str, of_node| Some(Token::Asked { image: image.into(), of_node });
        assert_eq!(image("crictl pull r.example/a:1\nFATA"), asked("r.example/a:1", true));
        assert_eq!(image("docker pull --platform linux/amd64 nginx 2>&1"), None);
        assert_eq!(image("docker pull --platform linux/amd64 nginx | tee x"), asked("nginx", false));
        assert_eq!(image("docker pull it again and see\n"), None);
    }
}
