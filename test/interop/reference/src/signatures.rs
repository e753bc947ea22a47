//! Partial and aggregated signatures.

use grin_core::libtx::aggsig;
use grin_util::secp::key::{PublicKey, SecretKey};
use grin_util::secp::pedersen::Commitment;
use grin_util::secp::{Message, Secp256k1, Signature};
use grin_util::static_secp_instance;
use serde_json::{json, Value};

use crate::case::{hex, sec, why, Answer, Case};

struct Signer {
    key: SecretKey,
    nonce: SecretKey,
    public_key: PublicKey,
    public_nonce: PublicKey,
}

fn signer(secp: &Secp256k1, one: &Case) -> Result<Signer, String> {
    let (key, nonce) = (one.secret(secp, "key")?, one.secret(secp, "nonce")?);
    Ok(Signer {
        public_key: PublicKey::from_secret_key(secp, &key).map_err(why)?,
        public_nonce: PublicKey::from_secret_key(secp, &nonce).map_err(why)?,
        key,
        nonce,
    })
}

/// All signers sign one message; the sum is the kernel's signature.
pub fn sign(case: &Case) -> Answer {
    let secp = static_secp_instance();
    let secp = secp.lock();
    let message = Message::from_slice(&case.bytes("message")?).map_err(why)?;
    let signers: Result<Vec<Signer>, String> = case.list("signers")?.iter().map(|one| signer(&secp, one)).collect();
    let signers = signers?;
    let keys = PublicKey::from_combination(&secp, signers.iter().map(|one| &one.public_key).collect()).map_err(why)?;
    let nonces =
        PublicKey::from_combination(&secp, signers.iter().map(|one| &one.public_nonce).collect()).map_err(why)?;
    let mut parts: Vec<Signature> = vec![];
    for one in &signers {
        let part = aggsig::calculate_partial_sig(&secp, &one.key, &one.nonce, &nonces, Some(&keys), &message);
        parts.push(part.map_err(why)?);
    }
    let whole = aggsig::add_signatures(&secp, parts.iter().collect(), &nonces).map_err(why)?;
    let excess = Commitment::from_pubkey(&secp, &keys).map_err(why)?;
    let shown: Vec<Value> = parts.iter().zip(&signers).map(|(part, one)| {
        let checked = aggsig::verify_partial_sig(&secp, part, &nonces, &one.public_key, Some(&keys), &message);
        json!({ "raw": hex(part.to_raw_data()), "compact": hex(part.serialize_compact(&secp)), "valid": checked.is_ok() })
    }).collect();
    Ok(json!({
        "keySum": sec(&secp, &keys),
        "nonceSum": sec(&secp, &nonces),
        "excess": hex(excess.0),
        "parts": shown,
        "raw": hex(whole.to_raw_data()),
        "compact": hex(whole.serialize_compact(&secp)),
        "valid": aggsig::verify_batch(&secp, &vec![whole], &vec![message], &vec![keys]),
    }))
}

pub fn check_partial(case: &Case) -> Answer {
    let secp = static_secp_instance();
    let secp = secp.lock();
    let message = Message::from_slice(&case.bytes("message")?).map_err(why)?;
    let key = case.public(&secp, "key")?;
    let (nonces, keys) = (case.public(&secp, "nonceSum")?, case.public(&secp, "keySum")?);
    let checked =
        aggsig::verify_partial_sig(&secp, &case.signature("signature")?, &nonces, &key, Some(&keys), &message);
    Ok(json!({ "valid": checked.is_ok() }))
}
