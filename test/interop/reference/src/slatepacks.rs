//! Slatepacks: written, read, decrypted.

use grin_wallet_libwallet::{Slatepack, SlatepackAddress, SlatepackArmor, SlatepackBin, Slatepacker, SlatepackerArgs};
use grin_wallet_util::byte_ser;
use serde_json::json;

use crate::case::{hex, why, Answer, Case};
use crate::slates;

fn address(text: &str) -> Result<SlatepackAddress, String> {
    SlatepackAddress::try_from(text).map_err(why)
}

fn addresses(case: &Case, name: &str) -> Result<Vec<SlatepackAddress>, String> {
    case.list(name)?.iter().map(|one| address(one.0.as_str().unwrap_or("?"))).collect()
}

/// The bytes of a slate to all recipients, plain without one.
pub fn pack(case: &Case) -> Answer {
    let sender = if case.has("sender") { Some(address(case.text("sender")?)?) } else { None };
    let mut pack = Slatepack::default();
    pack.sender = sender;
    pack.payload = case.bytes("slate")?;
    pack.try_encrypt_payload(addresses(case, "to")?).map_err(why)?;
    Ok(json!({
        "armor": SlatepackArmor::encode(&pack).map_err(why)?,
        "binary": hex(byte_ser::to_bytes(&SlatepackBin(pack.clone())).map_err(why)?),
        "json": serde_json::to_string(&pack).map_err(why)?,
    }))
}

pub fn dearmor(case: &Case) -> Answer {
    Ok(json!({ "binary": hex(SlatepackArmor::decode(case.text("text")?.as_bytes()).map_err(why)?) }))
}

/// From armor, JSON or binary to the slate; `seed` is the ed25519 seed of the reader's address.
pub fn open(case: &Case) -> Answer {
    let seed =
        case.some_bytes("seed")?.map(|bytes| ed25519_dalek::SecretKey::from_bytes(&bytes).map_err(why)).transpose()?;
    let packer = Slatepacker::new(SlatepackerArgs { sender: None, recipients: vec![], dec_key: seed.as_ref() });
    let data = if case.has("text") { case.text("text")?.as_bytes().to_vec() } else { case.bytes("binary")? };
    let encrypted = packer.deser_slatepack(&data, false).map_err(why)?.mode == 1;
    let pack = packer.deser_slatepack(&data, true).map_err(why)?;
    packer.get_slate(&pack).map_err(why)?;
    let mut forms = slates::wire(&pack.payload)?;
    forms["encrypted"] = json!(encrypted);
    forms["sender"] = json!(pack.sender.as_ref().map(|sender| sender.to_string()));
    forms["recipients"] = json!(pack.recipients().iter().map(|one| one.to_string()).collect::<Vec<_>>());
    forms["payload"] = json!(hex(&pack.payload));
    Ok(forms)
}
