//! Commitments, points and their sums.

use grin_util::secp::key::{PublicKey, SecretKey};
use grin_util::secp::pedersen::Commitment;
use grin_util::static_secp_instance;
use serde_json::{json, Value};

use crate::case::{hex, sec, why, Answer, Case};

/// A blinding factor of zero commits to the bare value.
pub fn commit(case: &Case) -> Answer {
    let secp = static_secp_instance();
    let secp = secp.lock();
    let value = case.amount("value")?;
    let commitment = match case.bytes("blind")?.iter().all(|byte| *byte == 0) {
        true => secp.commit_value(value),
        false => secp.commit(value, case.secret(&secp, "blind")?),
    };
    Ok(json!({ "commitment": hex(commitment.map_err(why)?.0) }))
}

/// Every point as the other encoding, or null where it is none.
pub fn points(case: &Case) -> Answer {
    let secp = static_secp_instance();
    let secp = secp.lock();
    let commitments = case.bytes_list("commitments")?.into_iter().map(|bytes| {
        let commitment = Commitment::from_vec(bytes);
        commitment.to_pubkey(&secp).map(|key| json!(sec(&secp, &key))).unwrap_or(Value::Null)
    });
    let commitments: Vec<Value> = commitments.collect();
    let keys = case.bytes_list("keys")?.into_iter().map(|bytes| {
        let key = PublicKey::from_slice(&secp, &bytes);
        let commitment = key.and_then(|key| Commitment::from_pubkey(&secp, &key));
        commitment.map(|commitment| json!(hex(commitment.0))).unwrap_or(Value::Null)
    });
    Ok(json!({ "commitments": commitments, "keys": keys.collect::<Vec<_>>() }))
}

/// Of commitments (plus, minus) and of public keys; null where a point is none or the sum is infinite.
pub fn sums(case: &Case) -> Answer {
    let secp = static_secp_instance();
    let secp = secp.lock();
    let read = |name: &str| -> Result<Vec<Commitment>, String> {
        Ok(case.bytes_list(name)?.into_iter().map(Commitment::from_vec).collect())
    };
    let commitments = secp.commit_sum(read("plus")?, read("minus")?);
    let keys: Result<Vec<PublicKey>, _> =
        case.bytes_list("keys")?.iter().map(|bytes| PublicKey::from_slice(&secp, bytes)).collect();
    let sum = keys.and_then(|keys| PublicKey::from_combination(&secp, keys.iter().collect()));
    Ok(json!({
        "commitments": commitments.map(|sum| json!(hex(sum.0))).unwrap_or(Value::Null),
        "balance": secp.verify_commit_sum(read("plus")?, read("minus")?),
        "keys": sum.map(|sum| json!(sec(&secp, &sum))).unwrap_or(Value::Null),
    }))
}

pub fn blind_sum(case: &Case) -> Answer {
    let secp = static_secp_instance();
    let secp = secp.lock();
    let read = |name: &str| -> Result<Vec<SecretKey>, String> {
        case.bytes_list(name)?.iter().map(|bytes| SecretKey::from_slice(&secp, bytes).map_err(why)).collect()
    };
    Ok(json!({ "sum": hex(secp.blind_sum(read("plus")?, read("minus")?).map_err(why)?.0) }))
}
