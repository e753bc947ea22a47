//! Answers questions about Grin with the Rust crates of grin and grin-wallet: one case of JSON a line in, one answer a line out.
//! An answer is {"ok": …}, {"refused": reason} or, where a crate panicked, {"panicked": reason}.

mod addresses;
mod case;
mod fees;
mod keys;
mod payment_proofs;
mod points;
mod proofs;
mod signatures;
mod slatepacks;
mod slates;
mod transactions;
mod wallet;

use std::io::{self, BufRead, Write};
use std::panic::{self, AssertUnwindSafe};

use grin_core::global::{self, ChainTypes};
use serde_json::{json, Value};

use crate::case::{Answer, Case};
use crate::wallet::Wallets;

fn main() -> io::Result<()> {
    global::init_global_chain_type(ChainTypes::Mainnet);
    panic::set_hook(Box::new(|_| {}));
    let mut wallets = Wallets::default();
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let answer = answer(&line?, &mut wallets);
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}

fn answer(line: &str, wallets: &mut Wallets) -> Value {
    let case: Value = match serde_json::from_str(line) {
        Ok(case) => case,
        Err(error) => return json!({ "refused": error.to_string() }),
    };
    match panic::catch_unwind(AssertUnwindSafe(|| ask(&Case(&case), wallets))) {
        Ok(Ok(value)) => json!({ "ok": value }),
        Ok(Err(reason)) => json!({ "refused": reason }),
        Err(thrown) => json!({ "panicked": reason_of(thrown.as_ref()) }),
    }
}

fn reason_of(thrown: &(dyn std::any::Any + Send)) -> String {
    let text = thrown.downcast_ref::<String>().map(String::as_str).or(thrown.downcast_ref::<&str>().copied());
    text.unwrap_or("panic").to_owned()
}

fn ask(case: &Case, wallets: &mut Wallets) -> Answer {
    match case.text("op")? {
        "mnemonic" => keys::mnemonic(case),
        "keys" => keys::keys(case),
        "outputs" => keys::outputs(case),
        "commit" => points::commit(case),
        "points" => points::points(case),
        "sums" => points::sums(case),
        "blind-sum" => points::blind_sum(case),
        "prove" => proofs::prove(case),
        "verify" => proofs::verify(case),
        "rewind" => proofs::rewind(case),
        "sign" => signatures::sign(case),
        "check-partial" => signatures::check_partial(case),
        "address" => addresses::address(case),
        "read-address" => addresses::read_address(case),
        "read-onion" => addresses::read_onion(case),
        "read-slate" => slates::read(case),
        "pack" => slatepacks::pack(case),
        "dearmor" => slatepacks::dearmor(case),
        "open" => slatepacks::open(case),
        "fees" => fees::fees(case),
        "kernel" => fees::kernel(case),
        "sort" => transactions::sort(case),
        "transaction" => transactions::transaction(case),
        "sign-proof" => payment_proofs::sign(case),
        "check-proof" => payment_proofs::check(case),
        "wallet" => wallets.open(case),
        "send" => wallets.send(case),
        "choose" => wallets.choose(case),
        "receive" => wallets.receive(case),
        "finalize" => wallets.finalize(case),
        "issue" => wallets.issue(case),
        "pay" => wallets.pay(case),
        "forget" => wallets.forget(case),
        other => Err(format!("no such question: {other}")),
    }
}
