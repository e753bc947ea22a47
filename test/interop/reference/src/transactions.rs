//! Whole transactions: order, bytes, hash, validity.

use grin_core::core::hash::Hashed;
use grin_core::core::transaction::Weighting;
use grin_core::core::{Input, OutputFeatures, Transaction};
use grin_core::ser::{self, ProtocolVersion};
use serde_json::json;

use crate::case::{hex, why, Answer, Case};

/// Commitments in the order of inputs and outputs.
pub fn sort(case: &Case) -> Answer {
    let mut inputs: Vec<Input> = vec![];
    for one in case.list("members")? {
        let features = if one.flag("coinbase") { OutputFeatures::Coinbase } else { OutputFeatures::Plain };
        inputs.push(Input::new(features, one.commitment("commitment")?));
    }
    inputs.sort_by_key(|input| input.hash());
    Ok(json!(inputs.iter().map(|input| hex(input.commit.0)).collect::<Vec<String>>()))
}

/// `valid`: consensus would take it; `pays`: a pool would, too.
pub fn transaction(case: &Case) -> Answer {
    let tx: Transaction = serde_json::from_str(case.text("json")?).map_err(why)?;
    let bytes = |version: u32| ser::ser_vec(&tx, ProtocolVersion(version)).map(hex).map_err(why);
    let verdict = tx.validate(Weighting::AsTransaction);
    Ok(json!({
        "json": serde_json::to_string(&tx).map_err(why)?,
        "v1": bytes(1)?,
        "v2": bytes(2)?,
        "v3": bytes(3)?,
        "hash": hex(tx.hash().as_bytes()),
        "weight": tx.weight(),
        "least": tx.accept_fee().to_string(),
        "pays": tx.shifted_fee() >= tx.accept_fee(),
        "valid": verdict.is_ok(),
        "reason": verdict.err().map(|error| format!("{error:?}")),
    }))
}
