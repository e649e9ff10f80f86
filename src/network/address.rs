//! Is an address private, or one that the whole internet can reach?

use std::net::IpAddr;

/// Whether an address is private: RFC 1918, RFC 6598, unique local.
pub fn is_private(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => v4.is_private() || (v4.octets()[0] == 100 && (64..128).contains(&v4.octets()[1])),
        IpAddr::V6(v6) => (v6.segments()[0] & 0xfe00) == 0xfc00,
    }
}

/// Whether an address is one that the whole internet can reach: neither private, nor of the host, nor of the link, nor Azure's
/// own virtual address.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => !(is_private(address) || v4.is_loopback() || v4.is_link_local() || v4.is_unspecified() || v4.octets() == [168, 63, 129, 16]),
        IpAddr::V6(v6) => !(is_private(address) || v6.is_loopback() || v6.is_unspecified() || (v6.segments()[0] & 0xffc0) == 0xfe80),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_and_public() {
        for (text, private, public) in [
            ("10.1.1.1", true, false),
            ("100.64.0.1", true, false),
            ("8.8.8.8", false, true),
            ("168.63.129.16", false, false),
            ("127.0.0.1", false, false),
            ("fd00::1", true, false),
            ("2001:db8::1", false, true),
        ] {
            let address: IpAddr = text.parse().unwrap();
            assert_eq!((is_private(address), is_public(address)), (private, public), "{text}");
        }
    }
}
