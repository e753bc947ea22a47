//! The seam the wallet library asks its host for. Everything about making and changing wallets is left to grin-wallet.

use grin_core::global::ChainTypes;
use grin_keychain::ExtKeychain;
use grin_util::logger::LoggingConfig;
use grin_util::secp::key::SecretKey;
use grin_util::ZeroingString;
use grin_wallet_config::{TorConfig, WalletConfig};
use grin_wallet_libwallet::{Error, WalletBackend, WalletInst, WalletLCProvider};

use crate::node::Node;

/// One opened wallet.
pub struct Provider {
    pub backend: WalletBackend<Node, ExtKeychain>,
}

fn refused<T>() -> Result<T, Error> {
    Err(Error::Lifecycle("this wallet only pays".to_owned()))
}

impl WalletInst<'static, Provider, Node, ExtKeychain> for Provider {
    fn lc_provider(&mut self) -> Result<&mut dyn WalletLCProvider<'static, Node, ExtKeychain>, Error> {
        Ok(self)
    }
}

impl WalletLCProvider<'static, Node, ExtKeychain> for Provider {
    fn wallet_inst(&mut self) -> Result<&mut WalletBackend<Node, ExtKeychain>, Error> {
        Ok(&mut self.backend)
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

    fn wallet_exists(&self, _: Option<&str>) -> Result<bool, Error> {
        Ok(true)
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
