//! Opens the seed file of a wallet that `grin-wallet init` made.

use std::fs;
use std::num::NonZeroU32;
use std::path::Path;

use grin_core::global;
use grin_keychain::{ExtKeychain, Keychain};
use grin_util::from_hex;
use ring::{aead, pbkdf2};
use serde::Deserialize;

use crate::note::Outcome;

const ROUNDS: u32 = 100;

#[derive(Deserialize)]
struct SeedFile {
    encrypted_seed: String,
    salt: String,
    nonce: String,
}

/// The keychain of the wallet whose data folder this is; a wrong password is an error.
pub fn keychain(data_dir: &Path, password: &str) -> Outcome<ExtKeychain> {
    let file: SeedFile = serde_json::from_str(&fs::read_to_string(data_dir.join("wallet.seed"))?)?;
    let (mut sealed, salt) = (from_hex(&file.encrypted_seed)?, from_hex(&file.salt)?);
    let nonce = aead::Nonce::try_assume_unique_for_key(&from_hex(&file.nonce)?).map_err(|_| "seed file: bad nonce")?;
    let mut key = [0; 32];
    let rounds = NonZeroU32::new(ROUNDS).ok_or("no rounds")?;
    pbkdf2::derive(pbkdf2::PBKDF2_HMAC_SHA512, rounds, &salt, password.as_bytes(), &mut key);
    let opener = aead::UnboundKey::new(&aead::CHACHA20_POLY1305, &key).map_err(|_| "seed file: bad key")?;
    let seed = aead::LessSafeKey::new(opener)
        .open_in_place(nonce, aead::Aad::empty(), &mut sealed)
        .map_err(|_| "wrong wallet password")?;
    Ok(ExtKeychain::from_seed(seed, global::is_testnet())?)
}
