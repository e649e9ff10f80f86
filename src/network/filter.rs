//! Does a node's own packet filter let a new connection out? The chains are walked as the kernel walks them, and what a
//! listing cannot tell stays open: only a drop that is certainly reached blocks.

use std::net::IpAddr;

use crate::bundle::Source;
use crate::facts::{Answer, Family, FilterChain, FilterRule, FilterVerdict, PacketFilter};

/// How deep jumps are followed, and how many rules are looked at; the kernel allows 16 levels.
const DEEPEST: usize = 16;
const MOST_RULES: usize = 20_000;

/// What becomes of the first packet of a TCP connection from the node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate<'f> {
    /// It leaves; the line stands for the chain that let it.
    Passes(&'f Source),
    /// This rule or policy certainly drops it, or rejects it with an answer.
    Dropped(&'f Source, Option<Answer>),
    /// The listing does not tell.
    Open,
}

/// The fate of a connection to `address` and `port` in one listing; none where no chain sees what the node sends.
pub fn fate(filter: &PacketFilter, address: IpAddr, port: u16) -> Option<Fate<'_>> {
    let mut left = MOST_RULES;
    let mut answer = None;
    for chain in filter.chains.iter().filter(|c| matches!(c.hook.as_deref(), Some("output" | "postrouting")) && sees(c.family, address)) {
        let mut walk = Walk { filter, address, port, left, may_pass: false, may_drop: false };
        let end = match walk.chain(chain, 0) {
            Step::Done(fate) => fate,
            Step::Next => of_policy(&chain.policy, &chain.source),
        };
        left = walk.left;
        // Every chain must let it pass; one certain drop is enough.
        answer = Some(match (answer, walk.settle(end)) {
            (_, dropped @ Fate::Dropped(..)) => return Some(dropped),
            (Some(Fate::Open), _) => Fate::Open,
            (_, fate) => fate,
        });
    }
    answer
}

fn sees(family: Option<Family>, address: IpAddr) -> bool {
    family.is_none_or(|f| (f == Family::V4) == address.is_ipv4())
}

fn of_policy<'f>(verdict: &FilterVerdict, source: &'f Source) -> Fate<'f> {
    match verdict {
        FilterVerdict::Accept | FilterVerdict::Return | FilterVerdict::Continue => Fate::Passes(source),
        FilterVerdict::Drop => Fate::Dropped(source, None),
        FilterVerdict::Reject(answer) => Fate::Dropped(source, Some(*answer)),
        _ => Fate::Open,
    }
}

/// What a rule or chain did with the packet.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step<'f> {
    Next,
    Done(Fate<'f>),
}

struct Walk<'f> {
    filter: &'f PacketFilter,
    address: IpAddr,
    port: u16,
    left: usize,
    /// Where the walk could have ended before, had an uncertain rule matched.
    may_pass: bool,
    may_drop: bool,
}

impl<'f> Walk<'f> {
    fn chain(&mut self, chain: &'f FilterChain, depth: usize) -> Step<'f> {
        for rule in &chain.rules {
            let Some(left) = self.left.checked_sub(1) else { return Step::Done(Fate::Open) };
            self.left = left;
            let Some(certain) = self.matches(rule) else { continue };
            if rule.verdict == FilterVerdict::Return {
                if certain {
                    return Step::Next;
                }
                // A way back that may have been taken: what follows is certain neither way.
                self.perhaps(Fate::Open);
                continue;
            }
            match self.verdict(rule, chain, depth) {
                Step::Next => {}
                step if certain => return step,
                Step::Done(fate) => self.perhaps(fate),
            }
        }
        if chain.hook.is_some() { Step::Done(of_policy(&chain.policy, &chain.source)) } else { Step::Next }
    }

    fn perhaps(&mut self, fate: Fate<'_>) {
        self.may_pass |= !matches!(fate, Fate::Dropped(..));
        self.may_drop |= !matches!(fate, Fate::Passes(_));
    }

    /// An end is certain only where nothing uncertain before it could have led elsewhere.
    fn settle(&self, end: Fate<'f>) -> Fate<'f> {
        match end {
            Fate::Passes(_) if self.may_drop => Fate::Open,
            Fate::Dropped(..) if self.may_pass => Fate::Open,
            end => end,
        }
    }

    fn verdict(&mut self, rule: &'f FilterRule, chain: &FilterChain, depth: usize) -> Step<'f> {
        match &rule.verdict {
            FilterVerdict::Accept => Step::Done(Fate::Passes(&rule.source)),
            FilterVerdict::Drop => Step::Done(Fate::Dropped(&rule.source, None)),
            FilterVerdict::Reject(answer) => Step::Done(Fate::Dropped(&rule.source, Some(*answer))),
            FilterVerdict::Continue | FilterVerdict::Return => Step::Next,
            FilterVerdict::Unknown => Step::Done(Fate::Open),
            FilterVerdict::Jump(name) | FilterVerdict::Goto(name) => {
                let target = self.filter.chains.iter().find(|c| c.table == chain.table && c.name == *name);
                let Some(target) = target.filter(|_| depth < DEEPEST) else { return Step::Done(Fate::Open) };
                match self.chain(target, depth + 1) {
                    // `goto` does not come back: the end of that chain is the end of the one that called it.
                    Step::Next if matches!(rule.verdict, FilterVerdict::Goto(_)) && chain.hook.is_none() => Step::Done(Fate::Open),
                    Step::Next if matches!(rule.verdict, FilterVerdict::Goto(_)) => Step::Done(of_policy(&chain.policy, &rule.source)),
                    step => step,
                }
            }
        }
    }

    /// Whether the rule matches: certainly, perhaps, or not.
    fn matches(&self, rule: &FilterRule) -> Option<bool> {
        let named = rule.destinations.is_empty() || (rule.destinations.iter().any(|d| d.contains(&self.address)) != rule.all_but);
        let protocol = rule.protocol.as_deref().is_none_or(|p| matches!(p, "tcp" | "all" | "ip" | "6"));
        let port = rule.ports.is_empty() || rule.ports.iter().any(|(from, to)| (*from..=*to).contains(&self.port));
        (!rule.never && named && protocol && port && sees(rule.family, self.address)).then_some(!rule.conditional)
    }
}

#[cfg(test)]
#[path = "filter/tests.rs"]
mod tests;
