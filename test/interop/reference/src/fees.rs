//! Fees, weights and kernels.

use grin_core::core::hash::Hashed;
use grin_core::core::{FeeFields, Transaction, TxKernel};
use grin_core::libtx::tx_fee;
use grin_core::ser::{self, ProtocolVersion};
use serde_json::{json, Value};

use crate::case::{hex, why, Answer, Case};

pub fn fees(case: &Case) -> Answer {
    let count = |name: &str| case.number(name).map(|number| number as usize);
    let (inputs, outputs, kernels) = (count("inputs")?, count("outputs")?, count("kernels")?);
    let field = FeeFields::new(case.number("shift")?, case.amount("fee")?);
    let raw: FeeFields = serde_json::from_value(json!(case.text("field")?)).map_err(why)?;
    Ok(json!({
        "weight": Transaction::weight_by_iok(inputs as u64, outputs as u64, kernels as u64),
        "least": tx_fee(inputs, outputs, kernels).to_string(),
        "field": field.map(|field| json!(u64::from(field).to_string())).unwrap_or(Value::Null),
        "split": { "fee": raw.fee().to_string(), "shift": raw.fee_shift() },
    }))
}

/// Reads the JSON of a kernel; `valid` is the answer of a node.
pub fn kernel(case: &Case) -> Answer {
    let kernel: TxKernel = serde_json::from_str(case.text("json")?).map_err(why)?;
    let bytes = |version: u32| ser::ser_vec(&kernel, ProtocolVersion(version)).map(hex).map_err(why);
    let valid = TxKernel::batch_sig_verify(&[kernel]).is_ok();
    if valid != kernel.verify().is_ok() {
        return Err("the node's two ways to verify a kernel disagree".to_owned());
    }
    Ok(json!({
        "json": serde_json::to_string(&kernel).map_err(why)?,
        "message": hex(&kernel.features.kernel_sig_msg().map_err(why)?[..]),
        "v1": bytes(1)?,
        "v2": bytes(2)?,
        "hash": hex(kernel.hash().as_bytes()),
        "valid": valid,
    }))
}
