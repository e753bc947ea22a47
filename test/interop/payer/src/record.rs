//! What the payer remembers between two calls: its Nostr key, and one file for each payment.

use std::fs;
use std::path::{Path, PathBuf};

use nostr_sdk::prelude::*;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::note::Outcome;

#[derive(Serialize, Deserialize)]
pub struct Payment {
    pub slate_id: Uuid,
    /// Nanogrin.
    pub amount: u64,
    /// The key that was paid: only its answer counts.
    pub key: PublicKey,
    pub relays: Vec<RelayUrl>,
    pub subject: Option<String>,
    pub offer: String,
    pub answer: Option<String>,
    pub excess: Option<String>,
}

pub struct Records {
    dir: PathBuf,
}

impl Records {
    pub fn of(wallet_dir: &Path) -> Outcome<Self> {
        let dir = wallet_dir.join("grinpay-payer");
        fs::create_dir_all(&dir)?;
        Ok(Records { dir })
    }

    /// The given key, else the one of the last time, else a new one that is kept.
    pub fn identity(&self, given: Option<&str>) -> Outcome<Keys> {
        let file = self.dir.join("identity.hex");
        let keys = match given {
            Some(secret) => Keys::parse(secret)?,
            None if file.exists() => Keys::parse(fs::read_to_string(&file)?.trim())?,
            None => Keys::generate(),
        };
        fs::write(file, keys.secret_key().to_secret_hex())?;
        Ok(keys)
    }

    pub fn save(&self, payment: &Payment) -> Outcome<()> {
        Ok(fs::write(self.file(&payment.slate_id), serde_json::to_string_pretty(payment)?)?)
    }

    pub fn load(&self, slate_id: &str) -> Outcome<Payment> {
        Ok(serde_json::from_str(&fs::read_to_string(self.file(&Uuid::parse_str(slate_id)?))?)?)
    }

    fn file(&self, slate_id: &Uuid) -> PathBuf {
        self.dir.join(format!("{slate_id}.json"))
    }
}
