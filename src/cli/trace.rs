//! `underpod trace BUNDLE --node NODE --to HOST|IP[:PORT]`: which way does the node's packet take, and where does it end?

use std::net::IpAddr;

use clap::Args;
use underpod::network::Ask;
use underpod::report::trace;
use underpod::{Question, read};

use super::code;
use super::common::{Common, Format};

#[derive(Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    common: Common,
    /// The node
    #[arg(long)]
    node: String,
    /// A host or an address, with a port where it is not 443; may repeat
    #[arg(long, required = true, value_name = "HOST|IP[:PORT]")]
    to: Vec<String>,
    /// The sender's address, where it is another than the node's own
    #[arg(long, value_name = "IP")]
    from_ip: Option<IpAddr>,
}

pub(super) fn run(arguments: &Arguments) -> Result<u8, String> {
    let common = &arguments.common;
    let facts = read(&common.bundles, &Question { limits: common.limits(), ..Question::default() }).map_err(|e| e.to_string())?;
    let known = underpod::nodes(&facts);
    if !known.contains(arguments.node.as_str()) {
        let names: Vec<&str> = known.iter().copied().take(12).collect();
        let told = if names.is_empty() { "it names no node".to_owned() } else { format!("it names {}", names.join(", ")) };
        return Err(format!("the bundle knows no node {}; {told}", arguments.node));
    }
    let mut out = String::new();
    for to in &arguments.to {
        let (name, port) = parts(to)?;
        let address = name.parse::<IpAddr>().ok();
        let host = address.is_none().then(|| name.to_lowercase());
        let dialled = host.as_deref().and_then(|h| underpod::dialled(&facts, &arguments.node, h));
        let ask = Ask { node: &arguments.node, host: host.as_deref(), address, port, from: arguments.from_ip, dialled };
        let traced = underpod::network::trace(&facts, &ask);
        out.push_str(&match common.format {
            Format::Text => trace::text(&traced, &ask, &facts.about),
            Format::Json => trace::json(&traced, &ask, &facts.about),
        });
    }
    common.write(&out)?;
    Ok(code::HEALTHY)
}

/// Host or address, and port: `registry.corp.example`, `10.0.0.4:5000`, `fd00::4`, `[fd00::4]:5000`.
fn parts(to: &str) -> Result<(&str, u16), String> {
    let to = to.trim();
    if to.contains("//") {
        return Err(format!("`{to}` is a URL; give its host alone, with a port where it is not 443: registry.corp.example:5000"));
    }
    if let Some(rest) = to.strip_prefix('[')
        && let Some((address, port)) = rest.split_once(']')
    {
        return match port.strip_prefix(':') {
            Some(port) => Ok((address, number(port)?)),
            None => Ok((address, 443)),
        };
    }
    match to.split_once(':') {
        Some((host, port)) if !port.contains(':') && !host.is_empty() => Ok((host, number(port)?)),
        Some(_) if to.parse::<IpAddr>().is_err() => Err(format!("`{to}` is no host or address with a port")),
        _ if to.is_empty() => Err("`--to` needs a host or an address".to_owned()),
        _ => Ok((to, 443)),
    }
}

fn number(port: &str) -> Result<u16, String> {
    port.parse().ok().filter(|p| *p > 0).ok_or_else(|| format!("`{port}` is no port"))
}

#[cfg(test)]
mod tests {
    use super::parts;

    #[test]
    fn hosts_addresses_and_ports() {
        assert_eq!(parts("registry.corp.example"), Ok(("registry.corp.example", 443)));
        assert_eq!(parts("10.0.0.4:5000"), Ok(("10.0.0.4", 5000)));
        assert_eq!(parts("fd00::4"), Ok(("fd00::4", 443)));
        assert_eq!(parts("[fd00::4]:5000"), Ok(("fd00::4", 5000)));
        assert!(parts("host:port").is_err());
        assert!(parts("").is_err());
    }
}
