//! A Grin wallet that sends: its folder and its coins are those of a real grin-wallet, its slates come from libwallet.

use std::path::Path;
use std::sync::Arc;

use grin_core::global::{self, ChainTypes};
use grin_keychain::ExtKeychain;
use grin_util::{Mutex, ToHex};
use grin_wallet_libwallet::api_impl::owner;
use grin_wallet_libwallet::{
    wallet_lock, Error, InitTxArgs, NodeClient, Slate, SlateState, SlatepackAddress, WalletBackend, WalletInst,
};
use uuid::Uuid;

use crate::node::Node;
use crate::note::Outcome;
use crate::provider::Provider;
use crate::seed;

/// What grin-wallet pays per unit of weight unless told otherwise, in nanogrin.
const FEE_BASE: u64 = 500_000;
/// Index of the slatepack address that stands in messages as their sender.
const ADDRESS: u32 = 0;

type Instance = Arc<Mutex<Box<dyn WalletInst<'static, Provider, Node, ExtKeychain>>>>;

pub struct Wallet {
    instance: Instance,
    node: Node,
}

/// A first slate, armored, its coins locked.
pub struct Offer {
    pub slate_id: Uuid,
    pub amount: u64,
    pub fee: u64,
    pub armor: String,
}

/// Sets the network for the whole process.
pub fn choose_chain(name: &str) -> Outcome<()> {
    let chain = match name {
        "mainnet" => ChainTypes::Mainnet,
        "testnet" => ChainTypes::Testnet,
        "usernet" => ChainTypes::UserTesting,
        other => return Err(format!("unknown chain {other}").into()),
    };
    global::init_global_chain_type(chain);
    global::init_global_accept_fee_base(FEE_BASE);
    Ok(())
}

impl Wallet {
    /// `dir` is what `grin-wallet --top_level_dir` takes.
    pub fn open(dir: &Path, password: &str, node_url: &str) -> Outcome<Self> {
        let node = Node::new(node_url);
        let data = dir.join("wallet_data");
        let mut backend = WalletBackend::new(data.to_str().ok_or("folder name is no UTF-8")?, node.clone())?;
        backend.set_keychain(seed::keychain(&data, password)?, false, false)?;
        Ok(Wallet { instance: Arc::new(Mutex::new(Box::new(Provider { backend }))), node })
    }

    /// Brings coins and transactions up to what the node knows.
    pub fn refresh(&self) -> Outcome<()> {
        match owner::update_wallet_state(self.instance.clone(), None, &None, false)? {
            true => Ok(()),
            false => Err("the node does not answer".into()),
        }
    }

    pub fn address(&self) -> Outcome<String> {
        Ok(owner::get_slatepack_address(self.instance.clone(), None, ADDRESS)?.to_string())
    }

    /// S1 over `amount` nanogrin; a payment proof is asked of `proof` when there is one, and with `encrypt` only it can read the slatepack.
    pub fn offer(&self, amount: u64, proof: Option<&str>, encrypt: bool) -> Outcome<Offer> {
        let proof = proof.map(SlatepackAddress::try_from).transpose()?;
        let readers = proof.iter().filter(|_| encrypt).cloned().collect();
        let args = InitTxArgs {
            amount,
            minimum_confirmations: 1,
            selection_strategy_is_use_all: false,
            payment_proof_recipient_address: proof,
            ..InitTxArgs::default()
        };
        let slate = self.with_backend(|wallet| {
            let slate = owner::init_send_tx(wallet, None, args, false)?;
            owner::tx_lock_outputs(wallet, None, &slate)?;
            Ok(slate)
        })?;
        let armor = owner::create_slatepack_message(self.instance.clone(), None, &slate, Some(ADDRESS), readers)?;
        Ok(Offer { slate_id: slate.id, amount: slate.amount, fee: slate.fee_fields.fee(), armor })
    }

    /// The slate of a slatepack, plain or encrypted to this wallet.
    pub fn read(&self, armor: &str) -> Outcome<Slate> {
        Ok(owner::slate_from_slatepack_message(self.instance.clone(), None, armor.to_owned(), vec![ADDRESS])?)
    }

    /// Whether this is the answer (S2) to the slate of that id.
    pub fn answers(&self, armor: &str, slate_id: &Uuid) -> Outcome<bool> {
        let slate = self.read(armor)?;
        Ok(slate.id == *slate_id && slate.state == SlateState::Standard2)
    }

    /// S2 to S3, posted to the node. Answers the kernel excess in hex.
    pub fn finish(&self, armor: &str) -> Outcome<String> {
        let answer = self.read(armor)?;
        let whole = self.with_backend(|wallet| owner::finalize_tx(wallet, None, &answer))?;
        let tx = whole.tx.ok_or("no transaction in the finished slate")?;
        owner::post_tx(&self.node, &tx, true)?;
        let kernel = tx.kernels().first().ok_or("no kernel in the transaction")?;
        Ok(kernel.excess.0.as_ref().to_hex())
    }

    /// Gives up a payment that was not finished: its coins can be spent again.
    pub fn cancel(&self, slate_id: Uuid) -> Outcome<()> {
        Ok(owner::cancel_tx(self.instance.clone(), None, &None, None, Some(slate_id))?)
    }

    pub fn height(&self) -> Outcome<u64> {
        Ok(self.node.get_chain_tip()?.0)
    }

    fn with_backend<T>(
        &self,
        work: impl FnOnce(&mut WalletBackend<Node, ExtKeychain>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        wallet_lock!(self.instance, wallet);
        work(wallet)
    }
}
