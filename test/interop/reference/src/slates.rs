//! Slates in JSON and in binary.

use grin_core::core::OutputFeatures;
use grin_wallet_libwallet::slate_versions::v4::SlateV4;
use grin_wallet_libwallet::slate_versions::v4_bin::SlateV4Bin;
use grin_wallet_libwallet::{Slate, SlateVersion, VersionedBinSlate, VersionedSlate};
use grin_wallet_util::byte_ser;
use serde_json::json;

use crate::case::{hex, why, Answer, Case};

/// A slate as this wallet writes it.
pub fn forms(slate: &Slate) -> Answer {
    let VersionedSlate::V4(wire) = VersionedSlate::into_version(slate.clone(), SlateVersion::V4).map_err(why)?;
    wire_forms(wire)
}

/// Features of an output that the wallet reads as plain are written as plain.
fn wire_forms(mut wire: SlateV4) -> Answer {
    for commitment in wire.coms.iter_mut().flatten() {
        commitment.f = OutputFeatures::from(commitment.f).into();
    }
    let json = serde_json::to_string(&wire).map_err(why)?;
    Ok(json!({ "json": json, "binary": hex(byte_ser::to_bytes(&SlateV4Bin(wire)).map_err(why)?) }))
}

/// Reads with the wallet's own reader, then writes both forms again.
pub fn read(case: &Case) -> Answer {
    let wire: VersionedSlate = match case.has("json") {
        true => serde_json::from_str(case.text("json")?).map_err(why)?,
        false => byte_ser::from_bytes::<VersionedBinSlate>(&case.bytes("binary")?).map_err(why)?.into(),
    };
    let VersionedSlate::V4(wire) = wire;
    Slate::upgrade(VersionedSlate::V4(wire.clone())).map_err(why)?;
    wire_forms(wire)
}

/// Both forms of a binary slate that the wallet has read already.
pub fn wire(bytes: &[u8]) -> Answer {
    let VersionedSlate::V4(wire) = byte_ser::from_bytes::<VersionedBinSlate>(bytes).map_err(why)?.into();
    wire_forms(wire)
}

pub fn from_binary(bytes: &[u8]) -> Result<Slate, String> {
    let wire: VersionedBinSlate = byte_ser::from_bytes(bytes).map_err(why)?;
    Slate::upgrade(wire.into()).map_err(why)
}

pub fn from_json(text: &str) -> Result<Slate, String> {
    Slate::deserialize_upgrade(text).map_err(why)
}
