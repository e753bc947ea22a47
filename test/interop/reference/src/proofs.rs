//! Range proofs: made, verified, rewound. With an entropy as a wallet does it, without one from bare values.

use grin_core::libtx::proof::{self, ProofBuild, ProofBuilder};
use grin_keychain::Keychain;
use grin_util::secp::pedersen::{ProofMessage, RangeProof};
use grin_util::static_secp_instance;
use serde_json::{json, Value};

use crate::case::{hex, switch_name, why, Answer, Case};

const MESSAGE: usize = 20;

pub fn prove(case: &Case) -> Answer {
    match case.has("entropy") {
        true => prove_output(case),
        false => prove_values(case),
    }
}

fn bytes_of(proof: &RangeProof) -> String {
    hex(&proof.proof[..proof.plen])
}

fn prove_output(case: &Case) -> Answer {
    let keychain = case.keychain()?;
    let (identifier, value, switch) = (case.identifier()?, case.amount("value")?, case.switch()?);
    let builder = ProofBuilder::new(&keychain);
    let commitment = keychain.commit(value, &identifier, switch).map_err(why)?;
    let proof = proof::create(&keychain, &builder, value, &identifier, switch, commitment, None).map_err(why)?;
    Ok(json!({
        "commitment": hex(commitment.0),
        "proof": bytes_of(&proof),
        "rewindNonce": hex(builder.rewind_nonce(keychain.secp(), &commitment).map_err(why)?.0),
        "privateNonce": hex(builder.private_nonce(keychain.secp(), &commitment).map_err(why)?.0),
    }))
}

fn prove_values(case: &Case) -> Answer {
    let secp = static_secp_instance();
    let secp = secp.lock();
    let blind = case.secret(&secp, "blind")?;
    let value = case.amount("value")?;
    let message = case.some_bytes("message")?.map(|bytes| ProofMessage::from_bytes(&bytes));
    let nonces = (case.secret(&secp, "rewindNonce")?, case.secret(&secp, "privateNonce")?);
    let proof = secp.bullet_proof(value, blind.clone(), nonces.0, nonces.1, case.some_bytes("extra")?, message);
    Ok(json!({ "commitment": hex(secp.commit(value, blind).map_err(why)?.0), "proof": bytes_of(&proof) }))
}

pub fn verify(case: &Case) -> Answer {
    let secp = static_secp_instance();
    let secp = secp.lock();
    let proof = case.range_proof("proof")?;
    let verified = proof::verify(&secp, case.commitment("commitment")?, proof, case.some_bytes("extra")?);
    Ok(json!({ "valid": verified.is_ok() }))
}

/// Null for an output of somebody else.
pub fn rewind(case: &Case) -> Answer {
    match case.has("entropy") {
        true => rewind_output(case),
        false => rewind_values(case),
    }
}

fn rewind_output(case: &Case) -> Answer {
    let keychain = case.keychain()?;
    let builder = ProofBuilder::new(&keychain);
    let commitment = case.commitment("commitment")?;
    let found = proof::rewind(keychain.secp(), &builder, commitment, None, case.range_proof("proof")?).map_err(why)?;
    Ok(found.map_or(Value::Null, |(value, identifier, switch)| {
        json!({ "value": value.to_string(), "identifier": hex(identifier.to_bytes()), "switch": switch_name(switch) })
    }))
}

fn rewind_values(case: &Case) -> Answer {
    let secp = static_secp_instance();
    let secp = secp.lock();
    let (commitment, nonce) = (case.commitment("commitment")?, case.secret(&secp, "rewindNonce")?);
    let rewound = secp.rewind_bullet_proof(commitment, nonce, case.some_bytes("extra")?, case.range_proof("proof")?);
    Ok(rewound.map_or(
        Value::Null,
        |found| json!({ "value": found.value.to_string(), "message": hex(&found.message.as_bytes()[..MESSAGE]) }),
    ))
}
