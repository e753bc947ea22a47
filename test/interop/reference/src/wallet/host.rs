//! The seam that grin-wallet's library asks its host for. Everything about making and changing wallets is left to grin-wallet.

use std::sync::Arc;

use grin_core::global::ChainTypes;
use grin_keychain::ExtKeychain;
use grin_util::logger::LoggingConfig;
use grin_util::secp::key::SecretKey;
use grin_util::{Mutex, ZeroingString};
use grin_wallet_config::{TorConfig, WalletConfig};
use grin_wallet_libwallet::{Error, WalletBackend, WalletInst, WalletLCProvider};

use super::memory::MemoryWallet;
use super::node::Node;

pub type Backend = Box<dyn WalletBackend<'static, Node, ExtKeychain>>;
pub type Instance = Arc<Mutex<Box<dyn WalletInst<'static, Host, Node, ExtKeychain>>>>;

/// One opened wallet.
pub struct Host {
    backend: Backend,
}

pub fn instance(wallet: MemoryWallet) -> Instance {
    Arc::new(Mutex::new(Box::new(Host { backend: Box::new(wallet) })))
}

fn refused<T>() -> Result<T, Error> {
    Err(Error::Lifecycle("wallets of this program live in memory".to_owned()))
}

impl WalletInst<'static, Host, Node, ExtKeychain> for Host {
    fn lc_provider(&mut self) -> Result<&mut (dyn WalletLCProvider<'static, Node, ExtKeychain> + 'static), Error> {
        Ok(self)
    }
}

impl WalletLCProvider<'static, Node, ExtKeychain> for Host {
    fn wallet_inst(&mut self) -> Result<&mut Backend, Error> {
        Ok(&mut self.backend)
    }

    fn wallet_exists(&self, _: Option<&str>) -> Result<bool, Error> {
        Ok(true)
    }

    fn set_top_level_directory(&mut self, _: &str) -> Result<(), Error> {
        refused()
    }

    fn get_top_level_directory(&self) -> Result<String, Error> {
        refused()
    }

    fn create_config(
        &self,
        _: &ChainTypes,
        _: &str,
        _: Option<WalletConfig>,
        _: Option<LoggingConfig>,
        _: Option<TorConfig>,
    ) -> Result<(), Error> {
        refused()
    }

    fn create_wallet(
        &mut self,
        _: Option<&str>,
        _: Option<ZeroingString>,
        _: usize,
        _: ZeroingString,
        _: bool,
    ) -> Result<(), Error> {
        refused()
    }

    fn open_wallet(&mut self, _: Option<&str>, _: ZeroingString, _: bool, _: bool) -> Result<Option<SecretKey>, Error> {
        refused()
    }

    fn close_wallet(&mut self, _: Option<&str>) -> Result<(), Error> {
        refused()
    }

    fn get_mnemonic(&self, _: Option<&str>, _: ZeroingString) -> Result<ZeroingString, Error> {
        refused()
    }

    fn validate_mnemonic(&self, _: ZeroingString) -> Result<(), Error> {
        refused()
    }

    fn recover_from_mnemonic(&self, _: ZeroingString, _: ZeroingString) -> Result<(), Error> {
        refused()
    }

    fn change_password(&self, _: Option<&str>, _: ZeroingString, _: ZeroingString) -> Result<(), Error> {
        refused()
    }

    fn delete_wallet(&self, _: Option<&str>) -> Result<(), Error> {
        refused()
    }
}
