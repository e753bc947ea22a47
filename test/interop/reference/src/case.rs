//! Reading a case and writing an answer: bytes are hex, amounts are decimal strings.

use std::fmt::Display;

use grin_keychain::extkey_bip32::ExtendedPrivKey;
use grin_keychain::{ExtKeychain, Identifier, Keychain, SwitchCommitmentType};
use grin_util::secp::key::{PublicKey, SecretKey};
use grin_util::secp::pedersen::{Commitment, RangeProof};
use grin_util::secp::{Secp256k1, Signature};
use serde_json::Value;

pub type Answer = Result<Value, String>;

/// The reason of a refusal.
pub fn why(error: impl Display) -> String {
    error.to_string()
}

pub fn hex(bytes: impl AsRef<[u8]>) -> String {
    bytes.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

pub fn unhex(text: &str) -> Result<Vec<u8>, String> {
    let pairs = text.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).map_err(why));
    pairs.map(|pair| u8::from_str_radix(pair?, 16).map_err(why)).collect()
}

pub struct Case<'a>(pub &'a Value);

impl<'a> Case<'a> {
    pub fn value(&self, name: &str) -> Result<&'a Value, String> {
        self.0.get(name).ok_or(format!("the case has no {name}"))
    }

    pub fn has(&self, name: &str) -> bool {
        self.0.get(name).is_some()
    }

    pub fn text(&self, name: &str) -> Result<&'a str, String> {
        self.value(name)?.as_str().ok_or(format!("{name} is no text"))
    }

    pub fn amount(&self, name: &str) -> Result<u64, String> {
        self.text(name)?.parse().map_err(why)
    }

    pub fn number(&self, name: &str) -> Result<u64, String> {
        self.value(name)?.as_u64().ok_or(format!("{name} is no number"))
    }

    pub fn flag(&self, name: &str) -> bool {
        self.0.get(name).and_then(Value::as_bool).unwrap_or(false)
    }

    pub fn bytes(&self, name: &str) -> Result<Vec<u8>, String> {
        unhex(self.text(name)?)
    }

    /// Absent is none.
    pub fn some_bytes(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        if self.has(name) {
            self.bytes(name).map(Some)
        } else {
            Ok(None)
        }
    }

    pub fn list(&self, name: &str) -> Result<Vec<Case<'a>>, String> {
        let list = self.value(name)?.as_array().ok_or(format!("{name} is no list"))?;
        Ok(list.iter().map(Case).collect())
    }

    pub fn bytes_list(&self, name: &str) -> Result<Vec<Vec<u8>>, String> {
        self.list(name)?.iter().map(|one| unhex(one.0.as_str().unwrap_or("?"))).collect()
    }

    pub fn keychain(&self) -> Result<ExtKeychain, String> {
        keychain_of(&self.bytes("entropy")?)
    }

    pub fn identifier(&self) -> Result<Identifier, String> {
        Ok(Identifier::from_bytes(&self.bytes("identifier")?))
    }

    pub fn switch(&self) -> Result<SwitchCommitmentType, String> {
        match self.text("switch")? {
            "none" => Ok(SwitchCommitmentType::None),
            "regular" => Ok(SwitchCommitmentType::Regular),
            other => Err(format!("no such switch type: {other}")),
        }
    }

    pub fn commitment(&self, name: &str) -> Result<Commitment, String> {
        Ok(Commitment::from_vec(self.bytes(name)?))
    }

    pub fn secret(&self, secp: &Secp256k1, name: &str) -> Result<SecretKey, String> {
        SecretKey::from_slice(secp, &self.bytes(name)?).map_err(why)
    }

    pub fn public(&self, secp: &Secp256k1, name: &str) -> Result<PublicKey, String> {
        PublicKey::from_slice(secp, &self.bytes(name)?).map_err(why)
    }

    pub fn signature(&self, name: &str) -> Result<Signature, String> {
        let raw: [u8; 64] = self.bytes(name)?.try_into().map_err(|_| format!("{name} is not 64 bytes"))?;
        Signature::from_raw_data(&raw).map_err(why)
    }

    pub fn range_proof(&self, name: &str) -> Result<RangeProof, String> {
        let bytes = self.bytes(name)?;
        let mut proof = RangeProof::zero();
        proof.plen = bytes.len();
        proof.proof.get_mut(..bytes.len()).ok_or(format!("{name} is too long"))?.copy_from_slice(&bytes);
        Ok(proof)
    }
}

/// What `ExtKeychain::from_seed` does, but for the tables of the curve: it builds them anew every time, in 30 ms, and a clone copies them.
pub fn keychain_of(seed: &[u8]) -> Result<ExtKeychain, String> {
    thread_local!(static FIRST: ExtKeychain = ExtKeychain::from_seed(&[1; 32], false).expect("a keychain"));
    let mut keychain = FIRST.with(ExtKeychain::clone);
    keychain.master = ExtendedPrivKey::new_master(keychain.secp(), &mut keychain.hasher(), seed).map_err(why)?;
    Ok(keychain)
}

pub fn switch_name(switch: SwitchCommitmentType) -> &'static str {
    match switch {
        SwitchCommitmentType::None => "none",
        SwitchCommitmentType::Regular => "regular",
    }
}

pub fn sec(secp: &Secp256k1, key: &PublicKey) -> String {
    hex(&key.serialize_vec(secp, true)[..])
}
