//! The books of a wallet in memory: what grin-wallet keeps in its database.

use std::collections::HashMap;
use std::sync::Arc;

use grin_core::core::Transaction;
use grin_keychain::{ChildNumber, ExtKeychain, Identifier, Keychain, SwitchCommitmentType};
use grin_util::secp::key::SecretKey;
use grin_util::{Mutex, ToHex};
use grin_wallet_libwallet::{
    AcctPathMapping, Context, Error, OutputData, ScannedBlockInfo, TxLogEntry, WalletBackend, WalletInitStatus,
    WalletOutputBatch,
};
use uuid::Uuid;

use super::node::Node;

#[derive(Default)]
pub struct Books {
    outputs: Vec<OutputData>,
    log: Vec<TxLogEntry>,
    contexts: HashMap<Vec<u8>, Context>,
    transactions: HashMap<String, Transaction>,
    accounts: Vec<AcctPathMapping>,
    children: HashMap<Identifier, u32>,
    heights: HashMap<Identifier, u64>,
}

type Shared = Arc<Mutex<Books>>;

pub struct MemoryWallet {
    keychain: ExtKeychain,
    node: Node,
    account: Identifier,
    books: Shared,
}

fn missing(what: &str) -> Error {
    Error::Backend(format!("{what} is not in the books"))
}

impl Books {
    fn output(&self, id: &Identifier, mmr_index: &Option<u64>) -> Result<OutputData, Error> {
        let found = self.outputs.iter().find(|one| one.key_id == *id && one.mmr_index == *mmr_index);
        found.cloned().ok_or(missing("output"))
    }

    fn save(&mut self, output: OutputData) {
        self.outputs.retain(|one| one.key_id != output.key_id || one.mmr_index != output.mmr_index);
        self.outputs.push(output);
    }
}

impl MemoryWallet {
    pub fn new(keychain: ExtKeychain, node: Node, account: Identifier, next_child: u32) -> Self {
        let books = Books::default();
        let wallet = MemoryWallet { keychain, node, account, books: Arc::new(Mutex::new(books)) };
        wallet.books.lock().children.insert(wallet.account.clone(), next_child);
        wallet
    }
}

impl WalletBackend<'static, Node, ExtKeychain> for MemoryWallet {
    fn set_keychain(&mut self, keychain: Box<ExtKeychain>, _: bool, _: bool) -> Result<Option<SecretKey>, Error> {
        self.keychain = *keychain;
        Ok(None)
    }

    fn close(&mut self) -> Result<(), Error> {
        Ok(())
    }

    fn keychain(&self, _: Option<&SecretKey>) -> Result<ExtKeychain, Error> {
        Ok(self.keychain.clone())
    }

    fn w2n_client(&mut self) -> &mut Node {
        &mut self.node
    }

    fn calc_commit_for_cache(
        &mut self,
        _: Option<&SecretKey>,
        amount: u64,
        id: &Identifier,
    ) -> Result<Option<String>, Error> {
        let commitment = self.keychain.commit(amount, id, SwitchCommitmentType::Regular)?;
        Ok(Some(commitment.0.as_ref().to_hex()))
    }

    fn set_parent_key_id_by_name(&mut self, label: &str) -> Result<(), Error> {
        self.account = self.get_acct_path(label.to_owned())?.ok_or(missing("account"))?.path;
        Ok(())
    }

    fn set_parent_key_id(&mut self, id: Identifier) {
        self.account = id;
    }

    fn parent_key_id(&mut self) -> Identifier {
        self.account.clone()
    }

    fn iter<'a>(&'a self) -> Box<dyn Iterator<Item = OutputData> + 'a> {
        Box::new(self.books.lock().outputs.clone().into_iter())
    }

    fn get(&self, id: &Identifier, mmr_index: &Option<u64>) -> Result<OutputData, Error> {
        self.books.lock().output(id, mmr_index)
    }

    fn get_tx_log_entry(&self, uuid: &Uuid) -> Result<Option<TxLogEntry>, Error> {
        Ok(self.books.lock().log.iter().find(|entry| entry.tx_slate_id == Some(*uuid)).cloned())
    }

    fn get_private_context(&mut self, _: Option<&SecretKey>, slate_id: &[u8]) -> Result<Context, Error> {
        self.books.lock().contexts.get(slate_id).cloned().ok_or(missing("context"))
    }

    fn tx_log_iter<'a>(&'a self) -> Box<dyn Iterator<Item = TxLogEntry> + 'a> {
        Box::new(self.books.lock().log.clone().into_iter())
    }

    fn acct_path_iter<'a>(&'a self) -> Box<dyn Iterator<Item = AcctPathMapping> + 'a> {
        Box::new(self.books.lock().accounts.clone().into_iter())
    }

    fn get_acct_path(&self, label: String) -> Result<Option<AcctPathMapping>, Error> {
        Ok(self.books.lock().accounts.iter().find(|account| account.label == label).cloned())
    }

    fn store_tx(&self, uuid: &str, tx: &Transaction) -> Result<(), Error> {
        self.books.lock().transactions.insert(uuid.to_owned(), tx.clone());
        Ok(())
    }

    fn get_stored_tx(&self, uuid: &str) -> Result<Option<Transaction>, Error> {
        Ok(self.books.lock().transactions.get(uuid).cloned())
    }

    fn batch<'a>(&'a mut self, _: Option<&SecretKey>) -> Result<Box<dyn WalletOutputBatch<ExtKeychain> + 'a>, Error> {
        self.batch_no_mask()
    }

    fn batch_no_mask<'a>(&'a mut self) -> Result<Box<dyn WalletOutputBatch<ExtKeychain> + 'a>, Error> {
        Ok(Box::new(Batch { keychain: self.keychain.clone(), books: self.books.clone() }))
    }

    fn current_child_index(&mut self, account: &Identifier) -> Result<u32, Error> {
        Ok(self.books.lock().children.get(account).copied().unwrap_or(0))
    }

    fn next_child(&mut self, _: Option<&SecretKey>) -> Result<Identifier, Error> {
        let index = self.current_child_index(&self.account.clone())?;
        self.books.lock().children.insert(self.account.clone(), index + 1);
        let mut path = self.account.to_path();
        path.path[path.depth as usize] = ChildNumber::from(index);
        path.depth += 1;
        Ok(Identifier::from_path(&path))
    }

    fn last_confirmed_height(&mut self) -> Result<u64, Error> {
        Ok(self.books.lock().heights.get(&self.account).copied().unwrap_or(0))
    }

    fn last_scanned_block(&mut self) -> Result<ScannedBlockInfo, Error> {
        Err(missing("scan"))
    }

    fn init_status(&mut self) -> Result<WalletInitStatus, Error> {
        Ok(WalletInitStatus::InitComplete)
    }
}

/// Writes at once: no case needs a batch that is dropped.
struct Batch {
    keychain: ExtKeychain,
    books: Shared,
}

impl WalletOutputBatch<ExtKeychain> for Batch {
    fn keychain(&mut self) -> &mut ExtKeychain {
        &mut self.keychain
    }

    fn save(&mut self, output: OutputData) -> Result<(), Error> {
        self.books.lock().save(output);
        Ok(())
    }

    fn get(&self, id: &Identifier, mmr_index: &Option<u64>) -> Result<OutputData, Error> {
        self.books.lock().output(id, mmr_index)
    }

    fn iter(&self) -> Box<dyn Iterator<Item = OutputData>> {
        Box::new(self.books.lock().outputs.clone().into_iter())
    }

    fn delete(&mut self, id: &Identifier, mmr_index: &Option<u64>) -> Result<(), Error> {
        self.books.lock().outputs.retain(|one| one.key_id != *id || one.mmr_index != *mmr_index);
        Ok(())
    }

    fn save_child_index(&mut self, account: &Identifier, child: u32) -> Result<(), Error> {
        self.books.lock().children.insert(account.clone(), child);
        Ok(())
    }

    fn save_last_confirmed_height(&mut self, account: &Identifier, height: u64) -> Result<(), Error> {
        self.books.lock().heights.insert(account.clone(), height);
        Ok(())
    }

    fn save_last_scanned_block(&mut self, _: ScannedBlockInfo) -> Result<(), Error> {
        Ok(())
    }

    fn save_init_status(&mut self, _: WalletInitStatus) -> Result<(), Error> {
        Ok(())
    }

    fn next_tx_log_id(&mut self, account: &Identifier) -> Result<u32, Error> {
        Ok(self.books.lock().log.iter().filter(|entry| entry.parent_key_id == *account).count() as u32)
    }

    fn tx_log_iter(&self) -> Box<dyn Iterator<Item = TxLogEntry>> {
        Box::new(self.books.lock().log.clone().into_iter())
    }

    fn save_tx_log_entry(&mut self, entry: TxLogEntry, account: &Identifier) -> Result<(), Error> {
        let mut books = self.books.lock();
        books.log.retain(|one| one.id != entry.id || one.parent_key_id != *account);
        books.log.push(entry);
        Ok(())
    }

    fn delete_tx_log_entry(&mut self, id: u32, account: &Identifier) -> Result<(), Error> {
        self.books.lock().log.retain(|one| one.id != id || one.parent_key_id != *account);
        Ok(())
    }

    fn save_acct_path(&mut self, mapping: AcctPathMapping) -> Result<(), Error> {
        self.books.lock().accounts.push(mapping);
        Ok(())
    }

    fn acct_path_iter(&self) -> Box<dyn Iterator<Item = AcctPathMapping>> {
        Box::new(self.books.lock().accounts.clone().into_iter())
    }

    fn lock_output(&mut self, output: &mut OutputData) -> Result<(), Error> {
        output.lock();
        self.save(output.clone())
    }

    fn save_private_context(&mut self, slate_id: &[u8], context: &Context) -> Result<(), Error> {
        self.books.lock().contexts.insert(slate_id.to_vec(), context.clone());
        Ok(())
    }

    fn delete_private_context(&mut self, slate_id: &[u8]) -> Result<(), Error> {
        self.books.lock().contexts.remove(slate_id);
        Ok(())
    }

    fn commit(&self) -> Result<(), Error> {
        Ok(())
    }
}
