//! Single envelopes and links for cross-checks: JSON in on standard input, JSON out.

use std::io::Read;

use nostr_sdk::prelude::*;
use serde::Deserialize;
use serde_json::json;

use crate::envelope::{self, Version};
use crate::link;
use crate::note::Outcome;
use crate::say::say;

#[derive(Deserialize)]
struct ToWrap {
    secret: String,
    to: PublicKey,
    content: String,
    tags: Vec<Vec<String>>,
    version: u8,
}

#[derive(Deserialize)]
struct ToOpen {
    secret: String,
    wrap: Event,
}

fn input<T: serde::de::DeserializeOwned>() -> Outcome<T> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    Ok(serde_json::from_str(&text)?)
}

/// `{secret, to, content, tags, version}` → the wrap and its rumor.
pub async fn make_wrap() -> Outcome<()> {
    let order: ToWrap = input()?;
    let keys = Keys::parse(&order.secret)?;
    let tags = order.tags.into_iter().map(Tag::parse).collect::<Result<Vec<_>, _>>()?;
    let mut rumor = EventBuilder::new(Kind::PrivateDirectMessage, order.content).tags(tags).build(keys.public_key());
    rumor.ensure_id();
    let version = Version::parse(&order.version.to_string())?;
    let wrap = envelope::wrap(&keys, &order.to, rumor.clone(), version).await?;
    say("wrapped", json!({ "wrap": wrap, "rumor": rumor }));
    Ok(())
}

/// `{secret, wrap}` → the rumor and the versions of both layers.
pub async fn open_wrap() -> Outcome<()> {
    let order: ToOpen = input()?;
    let opened = envelope::open(&Keys::parse(&order.secret)?, &order.wrap).await?;
    say(
        "opened",
        json!({ "rumor": opened.rumor, "seal_version": opened.seal_version, "wrap_version": opened.wrap_version }),
    );
    Ok(())
}

/// What a wallet reads out of a pay link.
pub fn read_link(text: &str) -> Outcome<()> {
    let link = link::parse(text)?;
    say(
        "link",
        json!({ "pubkey": link.key, "relays": link.relays, "amount": link.amount, "memo": link.memo, "proof": link.proof }),
    );
    Ok(())
}
