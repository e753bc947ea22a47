//! Mnemonic, keys, addresses and outputs of a wallet.

use grin_keychain::{mnemonic as words, ExtKeychain, Identifier, Keychain, SwitchCommitmentType, ViewKey};
use grin_wallet_libwallet::address::address_from_derivation_path;
use serde_json::{json, Value};

use crate::case::{hex, unhex, why, Answer, Case};

pub fn mnemonic(case: &Case) -> Answer {
    Ok(json!({ "entropy": hex(words::to_entropy(case.text("words")?).map_err(why)?) }))
}

pub fn keys(case: &Case) -> Answer {
    let keychain = case.keychain()?;
    let keys: Result<Vec<Value>, String> = case.list("identifiers")?.iter().map(|one| key(&keychain, one)).collect();
    let seeds: Result<Vec<Value>, String> = case.list("addresses")?.iter().map(|one| seed(&keychain, one)).collect();
    Ok(json!({
        "mnemonic": words::from_entropy(&case.bytes("entropy")?).map_err(why)?,
        "rewindHash": hex(ViewKey::rewind_hash(keychain.secp(), keychain.public_root_key())),
        "keys": keys?,
        "seeds": seeds?,
    }))
}

fn key(keychain: &ExtKeychain, one: &Case) -> Answer {
    let identifier = Identifier::from_bytes(&unhex(one.0.as_str().unwrap_or("?"))?);
    let key = keychain.derive_key(0, &identifier, SwitchCommitmentType::None).map_err(why)?;
    Ok(json!({ "path": identifier.to_bip_32_string(), "key": hex(key.0) }))
}

/// The address key of an account: the seed of its ed25519 key.
fn seed(keychain: &ExtKeychain, one: &Case) -> Answer {
    let account = ExtKeychain::derive_key_id(2, one.number("account")? as u32, 0, 0, 0);
    let seed = address_from_derivation_path(keychain, &account, one.number("index")? as u32).map_err(why)?;
    Ok(json!(hex(seed.0)))
}

pub fn outputs(case: &Case) -> Answer {
    let keychain = case.keychain()?;
    let outputs: Result<Vec<Value>, String> = case.list("outputs")?.iter().map(|one| output(&keychain, one)).collect();
    Ok(json!(outputs?))
}

fn output(keychain: &ExtKeychain, one: &Case) -> Answer {
    let (identifier, value, switch) = (one.identifier()?, one.amount("value")?, one.switch()?);
    let blind = keychain.derive_key(value, &identifier, switch).map_err(why)?;
    let commitment = keychain.commit(value, &identifier, switch).map_err(why)?;
    Ok(json!({ "blind": hex(blind.0), "commitment": hex(commitment.0) }))
}
