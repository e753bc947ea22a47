//! Slatepack addresses and their other spellings.

use grin_util::secp::key::SecretKey;
use grin_util::static_secp_instance;
use grin_wallet_libwallet::SlatepackAddress;
use grin_wallet_util::OnionV3Address;
use serde_json::json;

use crate::case::{hex, why, Answer, Case};

/// The address of an ed25519 seed.
pub fn address(case: &Case) -> Answer {
    let secp = static_secp_instance();
    let seed = SecretKey::from_slice(&secp.lock(), &case.bytes("seed")?).map_err(why)?;
    let address = SlatepackAddress::try_from(&seed).map_err(why)?;
    let test = SlatepackAddress { hrp: "tgrin".to_owned(), pub_key: address.pub_key };
    Ok(json!({
        "key": hex(address.pub_key.to_bytes()),
        "grin": address.to_string(),
        "tgrin": test.to_string(),
        "onion": OnionV3Address::from_private(&seed.0).map_err(why)?.to_string(),
        "age": address.to_age_pubkey_str().map_err(why)?,
    }))
}

pub fn read_address(case: &Case) -> Answer {
    let address = SlatepackAddress::try_from(case.text("text")?).map_err(why)?;
    Ok(json!({ "key": hex(address.pub_key.to_bytes()), "prefix": address.hrp }))
}

pub fn read_onion(case: &Case) -> Answer {
    let address = OnionV3Address::try_from(case.text("text")?).map_err(why)?;
    Ok(json!({ "key": hex(address.to_ed25519().map_err(why)?.to_bytes()) }))
}
