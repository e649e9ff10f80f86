//! Does `trace` take the route that a real kernel takes? Tables and rules made in a network namespace, asked by `ip route get`.
//!
//! The kernel looks an address up before it knows from which of its own it sends, and again once it does. So each address is
//! asked twice. Where the machine gives no namespace of its own the test says so on standard error, and passes.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support;

const ROUNDS: u64 = 10;
const ADDRESSES: usize = 150;
const UNKNOWN: &str = "unknown";

/// Numbers without a pattern, the same on every machine.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % most
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[usize::try_from(self.below(of.len() as u64)).unwrap()]
    }

    /// An address of few bits, so that prefixes cover one another often.
    fn address(&mut self) -> String {
        format!("10.{}.{}.{}", self.below(4), self.below(4) * 64, self.below(8) * 32 + self.below(3))
    }

    fn prefix(&mut self) -> String {
        let length = [0, 8, 9, 14, 16, 18, 24, 27, 32][usize::try_from(self.below(9)).unwrap()];
        let net: ipnet::Ipv4Net = format!("{}/{length}", self.address()).parse().unwrap();
        net.trunc().to_string()
    }
}

/// The commands that make one node: two devices, routes of every kind in three tables, and rules.
fn setup(dice: &mut Dice, with_rules: bool) -> String {
    let mut script = String::from(
        "ip link set lo up\n\
         ip link add a0 type veth peer name a1; ip link add b0 type veth peer name b1\n\
         for d in a0 a1 b0 b1; do ip link set $d up; done\n\
         ip addr add 10.0.0.5/24 dev a0; ip addr add 10.1.0.5/24 dev b0; ip addr add 10.1.0.6/24 dev b0\n",
    );
    for _ in 0..40 {
        let way = match dice.below(8) {
            0 => dice.one(&["blackhole", "prohibit", "unreachable", "throw"]).to_owned(),
            1 => String::from("ways"),
            2 => format!("via 10.1.0.{} src 10.1.0.6", dice.below(3) + 1),
            n => format!("via 10.{}.0.{}", n % 2, dice.below(3) + 1),
        };
        let (prefix, table, metric) = (dice.prefix(), dice.one(&["main", "main", "100", "200"]), dice.below(3) * 50);
        let rest = format!("table {table} metric {metric}");
        let command = match way.as_str() {
            "ways" => format!("{prefix} {rest} nexthop via 10.0.0.1 weight 1 nexthop via 10.1.0.1 weight 2"),
            kind if !kind.starts_with("via") => format!("{kind} {prefix} {rest}"),
            via => format!("{prefix} {via} {rest}"),
        };
        writeln!(script, "ip route add {command} 2>/dev/null").unwrap();
    }
    for _ in 0..if with_rules { 8 } else { 0 } {
        let selector = match dice.below(7) {
            0 => String::from("from 10.0.0.5"),
            1 => String::from("from 10.1.0.0/24"),
            2 => String::from("fwmark 0x1"),
            3 => String::from("not fwmark 0x1"),
            4 => String::from("iif a0"),
            _ => format!("to {}", dice.prefix()),
        };
        let action = match dice.below(8) {
            0 => dice.one(&["blackhole", "prohibit", "unreachable"]).to_owned(),
            1 => String::from("lookup main suppress_prefixlength 8"),
            2 => String::from("goto 32766"),
            _ => format!("lookup {}", dice.one(&["100", "200", "300"])),
        };
        writeln!(script, "ip rule add priority {} {selector} {action} 2>/dev/null", 10 + dice.below(900)).unwrap();
    }
    script
}

/// What dumps the node, and asks its kernel about every address, first unbound, then from the address that it chose.
const ASK: &str = r#"
ip $json route show table all > $out/node-1/ip-route-table-all.txt
ip $json rule > $out/node-1/ip-rule.txt
ip -force -batch first > first.out 2> first.err
awk '{ a = ($1 ~ /^[0-9]/) ? $1 : $2; for (i = 1; i < NF; i++) if ($i == "src") print "route get fibmatch " a " from " $(i + 1) }' first.out > second
ip -force -batch second > second.out 2> second.err
true
"#;

/// What the kernel says: a route by kind, prefix and table, or an error.
fn answers(dir: &Path) -> Vec<(String, String)> {
    let read = |name: &str| std::fs::read_to_string(dir.join(name)).unwrap();
    let asked = |name: &str| -> Vec<String> {
        let words = |l: &str| l.split(' ').find(|w| w.starts_with(|c: char| c.is_ascii_digit())).unwrap().to_owned();
        read(name).lines().map(words).collect()
    };
    // `ip` names the line of a batch that failed, behind the error.
    let failed = |name: &str| -> Vec<(usize, String)> {
        let text = read(name);
        let lines: Vec<&str> = text.lines().collect();
        let pairs = lines.windows(2).filter_map(|w| Some((w[1].strip_prefix("Command failed ")?.rsplit(':').next()?.parse().ok()?, w[0])));
        pairs
            .map(|(line, error): (usize, &str)| {
                let kind = [
                    ("Invalid argument", "blackhole"),
                    ("Permission denied", "prohibit"),
                    ("No route to host", "unreachable"),
                    ("Network is unreachable", "nothing"),
                ];
                (line, kind.iter().find(|(words, _)| error.contains(words)).unwrap_or_else(|| panic!("{error}")).1.to_owned())
            })
            .collect()
    };
    let mut out: Vec<(String, String)> = Vec::new();
    let first = asked("first");
    out.extend(failed("first.err").into_iter().map(|(line, kind)| (first[line - 1].clone(), kind)));
    let (second, errors) = (asked("second"), failed("second.err"));
    let text = read("second.out");
    let mut found = text.lines().filter(|l| !l.starts_with(char::is_whitespace) && !l.trim().is_empty());
    for (i, address) in second.iter().enumerate() {
        let said = errors.iter().find(|(line, _)| *line == i + 1).map(|(_, kind)| kind.clone());
        out.push((address.clone(), said.unwrap_or_else(|| route(found.next().expect("an answer for each question")))));
    }
    out
}

/// `kind prefix table` of a line of `ip route get fibmatch`.
fn route(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let (kind, rest) = if ["local", "broadcast"].contains(&words[0]) { (words[0], &words[1..]) } else { ("unicast", &words[..]) };
    let prefix = match rest[0] {
        "default" => "0.0.0.0/0".to_owned(),
        bare if !bare.contains('/') => format!("{bare}/32"),
        prefix => prefix.to_owned(),
    };
    let table = rest.iter().position(|w| *w == "table").map_or("main", |i| rest[i + 1]);
    format!("{kind} {prefix} {table}")
}

/// The same of a trace.
fn told(trace: &serde_json::Value) -> String {
    let step = trace["steps"].as_array().unwrap().iter().find(|s| s["at"] == "node-route").expect("the step is told");
    let word = |name: &str| step["route"][name].as_str().unwrap_or_default();
    match (trace["outcome"].as_str(), step["outcome"].as_str()) {
        (Some("unreachable"), Some("failed")) => "nothing".to_owned(),
        // A rule that is unreachable speaks as if nothing covered the address.
        (_, Some("failed")) if word("kind") == "unreachable" && word("table").is_empty() => "nothing".to_owned(),
        (_, Some("failed")) => word("kind").to_owned(),
        (_, Some("passed")) => format!("{} {} {}", word("kind"), word("prefix"), word("table")),
        (_, Some("unknown")) => UNKNOWN.to_owned(),
        other => format!("{other:?}"),
    }
}

fn has_namespaces() -> bool {
    let probe = Command::new("unshare").args(["-n", "sh", "-c", "ip link add a0 type veth peer name a1"]).stderr(Stdio::null()).status();
    probe.is_ok_and(|s| s.success())
}

#[test]
fn the_node_s_route_is_the_kernel_s() {
    if !has_namespaces() {
        // Past the harness, which would keep it to itself.
        writeln!(
            std::io::stderr(),
            "SKIPPED kernel::the_node_s_route_is_the_kernel_s: no network namespace can be made here (root, unshare and ip are needed)"
        )
        .unwrap();
        return;
    }
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let (mut asked, mut unknown, mut kinds) = (0, 0, std::collections::BTreeSet::new());
    for round in 0..ROUNDS {
        let dir = support::Scratch::new("kernel");
        let bundle = support::Scratch::new("bundle");
        bundle.write("node-1/hostname", "node-1\n");
        let mut addresses: Vec<String> = (0..ADDRESSES).map(|_| dice.address()).filter(|a| a != "10.0.0.5" && !a.starts_with("10.1.0.")).collect();
        addresses.sort();
        addresses.dedup();
        let batch: String = addresses.iter().map(|a| format!("route get {a}\n")).collect();
        dir.write("first", batch);
        let json = if round % 2 == 1 { "json=-j\n" } else { "json=\n" };
        let script = format!("{}{json}out={}\n{ASK}", setup(&mut dice, round > 1), bundle.path().display());
        let mut shell = Command::new("unshare").args(["-n", "sh", "-s"]).current_dir(dir.path()).stdin(Stdio::piped()).spawn().unwrap();
        shell.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
        assert!(shell.wait().unwrap().success());
        let kernel = answers(dir.path());
        let mut args = vec!["trace", bundle.path().to_str().unwrap(), "--node", "node-1", "--format", "json"];
        args.extend(kernel.iter().flat_map(|(address, _)| ["--to", address.as_str()]));
        let out = support::underpod(&args);
        let traces: Vec<serde_json::Value> = out.out.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
        assert_eq!(traces.len(), kernel.len(), "{}", out.err);
        for ((address, says), trace) in kernel.iter().zip(&traces) {
            assert_eq!(trace["to"]["address"], *address);
            let told = told(trace);
            // Of several ways the kernel takes one by a number that no listing shows, and with it the sender's address.
            if told == UNKNOWN && round > 1 {
                unknown += 1;
                continue;
            }
            assert_eq!(&told, says, "round {round}, {address}\n{script}");
            kinds.insert(says.split(' ').next().unwrap_or_default().to_owned());
            asked += 1;
        }
    }
    assert!(asked >= 1000 && unknown * 20 < asked, "{asked} addresses were answered, {unknown} were not");
    assert!(kinds.len() >= 5, "only {kinds:?} came up");
}
