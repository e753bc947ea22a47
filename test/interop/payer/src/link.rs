//! Pay links as a wallet reads them: `goblin:` or `nostr:`, an nprofile, and parameters of which the first one counts.

use nostr_sdk::prelude::*;

use crate::note::{without_dangerous, Outcome};

const MAX_LINK_BYTES: usize = 4096;
const MAX_WHOLE_GRIN: u64 = 1_000_000_000;
const PER_GRIN: u64 = 1_000_000_000;

#[derive(Debug)]
pub struct PayLink {
    pub key: PublicKey,
    pub relays: Vec<RelayUrl>,
    /// Nanogrin. Nothing when the link leaves the amount to the payer, or names one that is none.
    pub amount: Option<u64>,
    pub memo: Option<String>,
    /// The slatepack address that a payment proof is asked of.
    pub proof: Option<String>,
    pub order: Option<String>,
    pub notify: Option<String>,
    pub count: Option<u8>,
}

pub fn parse(link: &str) -> Outcome<PayLink> {
    if link.len() > MAX_LINK_BYTES || link.contains('\0') {
        return Err("a pay link has at most 4096 bytes and no NUL".into());
    }
    let (scheme, rest) = link.split_once(':').ok_or("no scheme")?;
    if !["goblin", "nostr"].contains(&scheme.to_ascii_lowercase().as_str()) {
        return Err(format!("unknown scheme {scheme}").into());
    }
    let (profile, query) = rest.split_once('?').unwrap_or((rest, ""));
    let profile = Nip19Profile::from_bech32(profile)?;
    let pairs: Vec<(&str, String)> = query
        .split('&')
        .filter_map(|pair| pair.split_once('='))
        .map(|(name, value)| (name, percent_decoded(value)))
        .collect();
    let first = |name: &str| pairs.iter().find(|(n, _)| *n == name).map(|(_, value)| value.clone());
    Ok(PayLink {
        key: profile.public_key,
        relays: profile.relays,
        amount: first("amount").and_then(|text| amount(&text)),
        memo: first("memo").map(|memo| cut(&without_dangerous(&memo), 256)).filter(|memo| !memo.trim().is_empty()),
        proof: first("proof").filter(|address| address.starts_with("grin1") || address.starts_with("tgrin1")),
        order: first("order").filter(|order| order.len() <= 64),
        notify: first("notify"),
        count: first("count").and_then(|count| count.parse().ok()).filter(|count| (1..=20).contains(count)),
    })
}

/// GRIN in ASCII decimals to nanogrin: more than nothing, at most a thousand million; what follows the ninth decimal is cut off.
pub fn amount(text: &str) -> Option<u64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if text.is_empty() || text == "." || !digits(whole) || !digits(fraction) {
        return None;
    }
    let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let decimals: String = fraction.chars().chain("000000000".chars()).take(9).collect();
    let nano = whole.checked_mul(PER_GRIN)?.checked_add(decimals.parse().ok()?)?;
    (whole <= MAX_WHOLE_GRIN && nano > 0).then_some(nano)
}

fn percent_decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let escape = (bytes[at] == b'%').then(|| text.get(at + 1..at + 3)).flatten();
        match escape.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// The longest beginning that has at most `bytes` bytes.
fn cut(text: &str, bytes: usize) -> String {
    let end = (0..=bytes.min(text.len())).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    text[..end].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read_as_the_wallet_reads_them() {
        assert_eq!(amount("1.5"), Some(1_500_000_000));
        assert_eq!(amount(".5"), Some(500_000_000));
        assert_eq!(amount("2."), Some(2_000_000_000));
        assert_eq!(amount("0.0000000019"), Some(1));
        assert_eq!(amount("1000000000"), Some(1_000_000_000_000_000_000));
        for none in ["", ".", "0", "-1", "1e3", "1000000001", "1.5.2", "٣"] {
            assert_eq!(amount(none), None, "{none}");
        }
    }

    #[test]
    fn the_first_parameter_counts_and_unknown_ones_do_not() {
        let profile =
            Nip19Profile::new(Keys::generate().public_key(), [RelayUrl::parse("ws://127.0.0.1:7777").unwrap()]);
        let link = format!("GOBLIN:{}?amount=1.25&memo=two%20caf%C3%A9s&memo=other&x=y", profile.to_bech32().unwrap());
        let read = parse(&link).unwrap();
        assert_eq!(read.key, profile.public_key);
        assert_eq!(read.relays, profile.relays);
        assert_eq!((read.amount, read.memo.as_deref()), (Some(1_250_000_000), Some("two cafés")));
        assert!(parse("bitcoin:abc").is_err());
    }
}
