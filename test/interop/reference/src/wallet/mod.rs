//! Wallets of grin-wallet's library that pay and are paid. A case names its wallet by number.

mod host;
mod memory;
mod node;

use std::collections::HashMap;

use grin_keychain::{ExtKeychain, Identifier, Keychain};
use grin_wallet_libwallet::api_impl::{foreign, owner};
use grin_wallet_libwallet::{
    wallet_lock, Error, InitTxArgs, IssueInvoiceTxArgs, OutputData, OutputStatus, PaymentProof, Slate, SlatepackAddress,
};
use serde_json::{json, Value};

use crate::case::{hex, keychain_of, why, Answer, Case};
use crate::slates;
use host::{instance, Backend, Instance};
use memory::MemoryWallet;
use node::Node;

/// grin-wallet's default limit of inputs.
const MOST_INPUTS: u32 = 500;

#[derive(Default)]
pub struct Wallets {
    open: HashMap<u64, Instance>,
    opened: u64,
}

impl Wallets {
    /// A wallet with these coins in one account.
    pub fn open(&mut self, case: &Case) -> Answer {
        let account = account(case.number("account")? as u32);
        let node = Node { tip: case.number("tip")? };
        let wallet = MemoryWallet::new(case.keychain()?, node, account.clone(), case.number("next")? as u32);
        let wallet = instance(wallet);
        for coin in case.list("coins")? {
            let coin = coin_of(&coin, &account)?;
            with(&wallet, |books| save(books, coin))?;
        }
        let address = owner::get_slatepack_address(wallet.clone(), None, 0).map_err(why)?;
        self.opened += 1;
        self.open.insert(self.opened, wallet);
        Ok(json!({ "wallet": self.opened, "address": address.to_string() }))
    }

    pub fn forget(&mut self, case: &Case) -> Answer {
        self.open.remove(&case.number("wallet")?);
        Ok(Value::Null)
    }

    fn wallet(&self, case: &Case) -> Result<&Instance, String> {
        self.open.get(&case.number("wallet")?).ok_or("no such wallet".to_owned())
    }

    /// S1.
    pub fn send(&self, case: &Case) -> Answer {
        let wallet = self.wallet(case)?;
        let args = InitTxArgs { amount: case.amount("amount")?, late_lock: Some(case.flag("late")), ..spending(case)? };
        let slate = with(wallet, |books| {
            let slate = owner::init_send_tx(&mut **books, None, args, false)?;
            if !case.flag("late") {
                owner::tx_lock_outputs(&mut **books, None, &slate)?;
            }
            Ok(slate)
        })?;
        self.reply(case, &slate)
    }

    /// The coins, fee and change of an S1.
    pub fn choose(&self, case: &Case) -> Answer {
        let included = Some(case.flag("included"));
        let args = InitTxArgs { amount: case.amount("amount")?, amount_includes_fee: included, ..spending(case)? };
        let (slate, context) = with(self.wallet(case)?, |books| {
            let slate = owner::init_send_tx(&mut **books, None, args, false)?;
            let context = books.get_private_context(None, slate.id.as_bytes())?;
            Ok((slate, context))
        })?;
        let coins = context.input_ids.iter().map(|(identifier, _, _)| hex(identifier.to_bytes()));
        let change = context.output_ids.iter().map(|(_, _, value)| value.to_string());
        Ok(json!({
            "coins": coins.collect::<Vec<_>>(),
            "amount": slate.amount.to_string(),
            "fee": slate.fee_fields.fee().to_string(),
            "change": change.collect::<Vec<_>>(),
        }))
    }

    /// S1 to S2.
    pub fn receive(&self, case: &Case) -> Answer {
        let s1 = self.slate(case)?;
        let s2 = with(self.wallet(case)?, |books| foreign::receive_tx(&mut **books, None, &s1, None, false))?;
        self.reply(case, &s2)
    }

    /// I1.
    pub fn issue(&self, case: &Case) -> Answer {
        let args = IssueInvoiceTxArgs { amount: case.amount("amount")?, ..Default::default() };
        let i1 = with(self.wallet(case)?, |books| owner::issue_invoice_tx(&mut **books, None, args, false))?;
        self.reply(case, &i1)
    }

    /// I1 to I2.
    pub fn pay(&self, case: &Case) -> Answer {
        let i1 = self.slate(case)?;
        let args = InitTxArgs { amount: i1.amount, ..spending(case)? };
        let i2 = with(self.wallet(case)?, |books| {
            let i2 = owner::process_invoice_tx(&mut **books, None, &i1, args, false)?;
            owner::tx_lock_outputs(&mut **books, None, &i2)?;
            Ok(i2)
        })?;
        self.reply(case, &i2)
    }

    /// S2 to S3 or I2 to I3, with the transaction and, where one was asked for, the payment proof.
    pub fn finalize(&self, case: &Case) -> Answer {
        let wallet = self.wallet(case)?;
        let answer = self.slate(case)?;
        let whole = with(wallet, |books| foreign::finalize_tx(&mut **books, None, &answer, false))?;
        let mut reply = self.reply(case, &whole)?;
        reply["transaction"] = json!(serde_json::to_string(whole.tx_or_err().map_err(why)?).map_err(why)?);
        let proof = owner::retrieve_payment_proof(wallet.clone(), None, &None, false, None, Some(whole.id));
        if let Ok(proof) = proof {
            reply["proof"] = json!(serde_json::to_string(&proof).map_err(why)?);
        }
        Ok(reply)
    }

    /// The slate of a case: JSON, binary, or a slatepack to this wallet.
    fn slate(&self, case: &Case) -> Result<Slate, String> {
        if case.has("json") {
            return slates::from_json(case.text("json")?);
        }
        if case.has("binary") {
            return slates::from_binary(&case.bytes("binary")?);
        }
        let text = case.text("armor")?.to_owned();
        owner::slate_from_slatepack_message(self.wallet(case)?.clone(), None, text, vec![0]).map_err(why)
    }

    /// All forms of a slate; the slatepack is encrypted where the case names a reader.
    fn reply(&self, case: &Case, slate: &Slate) -> Answer {
        let readers = if case.has("to") { vec![address(case.text("to")?)?] } else { vec![] };
        let mut reply = slates::forms(slate)?;
        let armor = owner::create_slatepack_message(self.wallet(case)?.clone(), None, slate, Some(0), readers);
        reply["armor"] = json!(armor.map_err(why)?);
        reply["id"] = json!(slate.id.to_string());
        Ok(reply)
    }
}

fn account(number: u32) -> Identifier {
    ExtKeychain::derive_key_id(2, number, 0, 0, 0)
}

fn address(text: &str) -> Result<SlatepackAddress, String> {
    SlatepackAddress::try_from(text).map_err(why)
}

fn with<T>(wallet: &Instance, work: impl FnOnce(&mut Backend) -> Result<T, Error>) -> Result<T, String> {
    let run = || -> Result<T, Error> {
        wallet_lock!(wallet, books);
        work(books)
    };
    run().map_err(why)
}

fn save(books: &mut Backend, coin: OutputData) -> Result<(), Error> {
    let mut batch = books.batch(None)?;
    batch.save(coin)?;
    batch.commit()
}

fn coin_of(coin: &Case, account: &Identifier) -> Result<OutputData, String> {
    let key_id = coin.identifier()?;
    Ok(OutputData {
        root_key_id: account.clone(),
        n_child: key_id.to_path().last_path_index(),
        key_id,
        commit: None,
        mmr_index: None,
        value: coin.amount("value")?,
        status: OutputStatus::Unspent,
        height: 1,
        lock_height: 0,
        is_coinbase: coin.flag("coinbase"),
        tx_log_entry: None,
    })
}

fn spending(case: &Case) -> Result<InitTxArgs, String> {
    Ok(InitTxArgs {
        minimum_confirmations: 1,
        max_outputs: if case.has("most") { case.number("most")? as u32 } else { MOST_INPUTS },
        num_change_outputs: case.number("change")? as u32,
        selection_strategy_is_use_all: case.flag("all"),
        ttl_blocks: if case.has("ttl") { Some(case.number("ttl")?) } else { None },
        payment_proof_recipient_address: if case.has("proof") { Some(address(case.text("proof")?)?) } else { None },
        ..Default::default()
    })
}

/// As a wallet that knows neither side, on a chain that holds the kernel.
pub fn verify_payment_proof(proof: &PaymentProof) -> Result<(), String> {
    let stranger = instance(MemoryWallet::new(keychain_of(&[1; 32])?, Node { tip: 1 }, account(0), 0));
    owner::verify_payment_proof(stranger, None, proof).map(|_| ()).map_err(why)
}
