//! Payment proofs: signed and checked as grin-wallet does it.

use ed25519_dalek::{Keypair, PublicKey, SecretKey, Signer};
use grin_wallet_libwallet::PaymentProof;
use serde_json::json;

use crate::case::{hex, why, Answer, Case};
use crate::wallet::verify_payment_proof;

/// Signs any message with the ed25519 key of a seed.
pub fn sign(case: &Case) -> Answer {
    let secret = SecretKey::from_bytes(&case.bytes("seed")?).map_err(why)?;
    let public: PublicKey = (&secret).into();
    let signature = Keypair { public, secret }.sign(&case.bytes("message")?);
    Ok(json!({ "signature": hex(signature.to_bytes()) }))
}

/// The kernel counts as mined; the wallet that checks is neither sender nor recipient.
pub fn check(case: &Case) -> Answer {
    let proof: PaymentProof = serde_json::from_str(case.text("json")?).map_err(why)?;
    verify_payment_proof(&proof)?;
    Ok(json!({ "json": serde_json::to_string(&proof).map_err(why)? }))
}
