//! NIP-44 version 3 by the crate `nip44`. It speaks another version of the curve library than rust-nostr: keys cross as bytes.

use secp256k1::{SecretKey, XOnlyPublicKey};

use crate::note::Outcome;

/// 2 or 3; an error for anything else.
pub fn version_of(payload: &str) -> Outcome<u8> {
    Ok(nip44::payload_version(payload).map_err(|error| error.to_string())?)
}

pub fn encrypt(secret: [u8; 32], other: [u8; 32], text: &str, kind: u16) -> Outcome<String> {
    let key = conversation(secret, other)?;
    Ok(nip44::encrypt_v3(&key, text.as_bytes(), u32::from(kind), b"").map_err(|error| error.to_string())?)
}

pub fn decrypt(secret: [u8; 32], other: [u8; 32], payload: &str, kind: u16) -> Outcome<String> {
    let key = conversation(secret, other)?;
    let text = nip44::decrypt_v3(&key, payload, u32::from(kind), b"").map_err(|error| error.to_string())?;
    Ok(String::from_utf8(text)?)
}

fn conversation(secret: [u8; 32], other: [u8; 32]) -> Outcome<[u8; 32]> {
    let (secret, other) = (SecretKey::from_byte_array(secret)?, XOnlyPublicKey::from_byte_array(other)?);
    Ok(nip44::get_conversation_key_v3(secret, other))
}
