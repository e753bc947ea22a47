//! Rumor, seal and gift wrap. Version 2 is rust-nostr's own NIP-59; version 3 puts the crate `nip44` in place of its encryption.

use nostr_sdk::nips::{nip44, nip59};
use nostr_sdk::prelude::*;

use crate::nip44_v3;
use crate::note::Outcome;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Version {
    V2,
    V3,
}

pub struct Opened {
    pub rumor: UnsignedEvent,
    pub seal_version: u8,
    pub wrap_version: u8,
}

impl Version {
    pub fn parse(text: &str) -> Outcome<Self> {
        match text {
            "2" => Ok(Version::V2),
            "3" => Ok(Version::V3),
            other => Err(format!("no such envelope version: {other}").into()),
        }
    }

    pub fn number(self) -> u8 {
        match self {
            Version::V2 => 2,
            Version::V3 => 3,
        }
    }

    /// What the receiver's relay list (kind 10050) asks for; without one, version 2.
    pub fn asked_by(list: Option<&Event>) -> Self {
        let methods = list.and_then(|event| event.tags.iter().find(|tag| tag.kind() == TagKind::custom("encryption")));
        match methods.and_then(|tag| tag.content()) {
            Some(text) if text.split(' ').any(|word| word == "nip44_v3") => Version::V3,
            _ => Version::V2,
        }
    }
}

/// Seals and wraps a message of `sender` to `receiver`.
pub async fn wrap(sender: &Keys, receiver: &PublicKey, mut rumor: UnsignedEvent, version: Version) -> Outcome<Event> {
    rumor.ensure_id();
    if version == Version::V2 {
        return Ok(EventBuilder::gift_wrap(sender, receiver, rumor, []).await?);
    }
    let past = || Timestamp::tweaked(nip59::RANGE_RANDOM_TIMESTAMP_TWEAK);
    let content = encrypt_v3(sender.secret_key(), receiver, &rumor.as_json(), Kind::Seal)?;
    let seal = EventBuilder::new(Kind::Seal, content).custom_created_at(past()).sign_with_keys(sender)?;
    let once = Keys::generate();
    let content = encrypt_v3(once.secret_key(), receiver, &seal.as_json(), Kind::GiftWrap)?;
    let wrap = EventBuilder::new(Kind::GiftWrap, content).tag(Tag::public_key(*receiver)).custom_created_at(past());
    Ok(wrap.sign_with_keys(&once)?)
}

/// Opens a wrap to `receiver` and checks every layer of it.
pub async fn open(receiver: &Keys, wrap: &Event) -> Outcome<Opened> {
    wrap.verify()?;
    if wrap.kind != Kind::GiftWrap
        || wrap.tags.len() != 1
        || wrap.tags.public_keys().next() != Some(&receiver.public_key())
    {
        return Err("not a gift wrap to this key, or more than one tag".into());
    }
    let (seal, wrap_version) = decrypt(receiver.secret_key(), &wrap.pubkey, &wrap.content, Kind::GiftWrap)?;
    let seal = Event::from_json(seal)?;
    seal.verify()?;
    if seal.kind != Kind::Seal || !seal.tags.is_empty() {
        return Err("not a seal, or a seal with tags".into());
    }
    let (rumor, seal_version) = decrypt(receiver.secret_key(), &seal.pubkey, &seal.content, Kind::Seal)?;
    let rumor = UnsignedEvent::from_json(rumor)?;
    rumor.verify_id()?;
    if rumor.pubkey != seal.pubkey {
        return Err("the rumor has another author than its seal".into());
    }
    if (seal_version, wrap_version) == (2, 2) {
        let gift = nip59::extract_rumor(receiver, wrap).await?;
        if gift.rumor != rumor || gift.sender != seal.pubkey {
            return Err("rust-nostr reads another rumor".into());
        }
    }
    Ok(Opened { rumor, seal_version, wrap_version })
}

fn decrypt(secret: &SecretKey, other: &PublicKey, payload: &str, kind: Kind) -> Outcome<(String, u8)> {
    match nip44_v3::version_of(payload)? {
        3 => Ok((nip44_v3::decrypt(secret.to_secret_bytes(), other.to_bytes(), payload, kind.as_u16())?, 3)),
        version => Ok((nip44::decrypt(secret, other, payload)?, version)),
    }
}

fn encrypt_v3(secret: &SecretKey, other: &PublicKey, text: &str, kind: Kind) -> Outcome<String> {
    nip44_v3::encrypt(secret.to_secret_bytes(), other.to_bytes(), text, kind.as_u16())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn both_versions_open_to_the_rumor_that_was_wrapped() {
        for version in [Version::V2, Version::V3] {
            let (sender, receiver) = (Keys::generate(), Keys::generate());
            let rumor = EventBuilder::new(Kind::PrivateDirectMessage, "hello").build(sender.public_key());
            let wrapped = wrap(&sender, &receiver.public_key(), rumor.clone(), version).await.unwrap();
            let opened = open(&receiver, &wrapped).await.unwrap();
            assert_eq!((opened.rumor.content, opened.rumor.pubkey), (rumor.content, sender.public_key()));
            assert_eq!((opened.seal_version, opened.wrap_version), (version.number(), version.number()));
            assert!(open(&Keys::generate(), &wrapped).await.is_err());
        }
    }
}
