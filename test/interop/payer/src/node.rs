//! The Foreign API v2 of a grin node, as the wallet library asks for it.

use std::collections::HashMap;
use std::time::Duration;

use grin_core::core::{Transaction, TxKernel};
use grin_util::secp::constants::MAX_PROOF_SIZE;
use grin_util::secp::pedersen::{Commitment, RangeProof};
use grin_util::{from_hex, ToHex};
use grin_wallet_libwallet::{Error, NodeClient, NodeVersionInfo};
use serde::de::DeserializeOwned;
use serde::Deserialize;
use serde_json::{json, Value};

#[derive(Clone)]
pub struct Node {
    url: String,
    agent: ureq::Agent,
}

#[derive(Deserialize)]
struct Tip {
    height: u64,
    last_block_pushed: String,
}

#[derive(Deserialize)]
struct LocatedKernel {
    tx_kernel: TxKernel,
    height: u64,
    mmr_index: u64,
}

#[derive(Deserialize)]
struct Listing {
    highest_index: u64,
    last_retrieved_index: u64,
    outputs: Vec<NodeOutput>,
}

#[derive(Deserialize)]
struct NodeOutput {
    output_type: String,
    commit: String,
    spent: bool,
    proof: Option<String>,
    block_height: Option<u64>,
    mmr_index: u64,
}

type Unspent = (Commitment, RangeProof, bool, u64, u64);

fn failed(what: impl std::fmt::Display) -> Error {
    Error::ClientCallback(what.to_string())
}

impl NodeOutput {
    fn commitment(&self) -> Result<Commitment, Error> {
        Ok(Commitment::from_vec(from_hex(&self.commit).map_err(failed)?))
    }

    fn height(&self) -> Result<u64, Error> {
        self.block_height.ok_or_else(|| failed("the node left out the height of an output"))
    }

    fn unspent(&self) -> Result<Unspent, Error> {
        let bytes = from_hex(self.proof.as_deref().unwrap_or_default()).map_err(failed)?;
        let mut proof = [0; MAX_PROOF_SIZE];
        proof.get_mut(..bytes.len()).ok_or_else(|| failed("an overlong range proof"))?.copy_from_slice(&bytes);
        let proof = RangeProof { proof, plen: bytes.len() };
        Ok((self.commitment()?, proof, self.output_type == "Coinbase", self.height()?, self.mmr_index))
    }
}

impl Node {
    pub fn new(url: &str) -> Self {
        let agent = ureq::AgentBuilder::new().timeout(Duration::from_secs(30)).build();
        Node { url: url.trim_end_matches('/').to_owned(), agent }
    }

    /// The `Ok` of the answer; its `Err` as the error's text.
    fn call<T: DeserializeOwned>(&self, method: &str, params: Value) -> Result<T, Error> {
        let request = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let answer: Value = self
            .agent
            .post(&format!("{}/v2/foreign", self.url))
            .send_json(request)
            .map_err(|error| failed(format!("{method}: {error}")))?
            .into_json()
            .map_err(|error| failed(format!("{method}: {error}")))?;
        match answer.get("result").and_then(|result| result.get("Ok")) {
            Some(ok) => serde_json::from_value(ok.clone()).map_err(|error| failed(format!("{method}: {error}"))),
            None => Err(failed(format!("{method}: {answer}"))),
        }
    }
}

impl NodeClient for Node {
    fn node_url(&self) -> &str {
        &self.url
    }

    fn set_node_url(&mut self, node_url: &str) {
        self.url = node_url.to_owned();
    }

    fn node_api_secret(&self) -> Option<String> {
        None
    }

    fn set_node_api_secret(&mut self, _: Option<String>) {}

    fn post_tx(&self, tx: &Transaction, fluff: bool) -> Result<(), Error> {
        self.call::<Value>("push_transaction", json!([tx, fluff])).map(|_| ())
    }

    fn get_version_info(&mut self) -> Option<NodeVersionInfo> {
        let mut info: Value = self.call("get_version", json!([])).ok()?;
        info["verified"] = json!(true);
        serde_json::from_value(info).ok()
    }

    fn get_chain_tip(&self) -> Result<(u64, String), Error> {
        let tip: Tip = self.call("get_tip", json!([]))?;
        Ok((tip.height, tip.last_block_pushed))
    }

    fn get_kernel(
        &mut self,
        excess: &Commitment,
        min_height: Option<u64>,
        max_height: Option<u64>,
    ) -> Result<Option<(TxKernel, u64, u64)>, Error> {
        match self.call::<LocatedKernel>("get_kernel", json!([excess.0.as_ref().to_hex(), min_height, max_height])) {
            Ok(found) => Ok(Some((found.tx_kernel, found.height, found.mmr_index))),
            Err(error) if error.to_string().contains("NotFound") => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn get_outputs_from_node(
        &self,
        wallet_outputs: Vec<Commitment>,
    ) -> Result<HashMap<Commitment, (String, u64, u64)>, Error> {
        let mut found = HashMap::new();
        for some in wallet_outputs.chunks(500) {
            let commits: Vec<String> = some.iter().map(|commit| commit.0.as_ref().to_hex()).collect();
            let outputs: Vec<NodeOutput> = self.call("get_outputs", json!([commits, null, null, false, false]))?;
            for output in outputs {
                found.insert(output.commitment()?, (output.commit.clone(), output.height()?, output.mmr_index));
            }
        }
        Ok(found)
    }

    fn get_outputs_by_pmmr_index(
        &self,
        start_index: u64,
        end_index: Option<u64>,
        max_outputs: u64,
    ) -> Result<(u64, u64, Vec<Unspent>), Error> {
        let listing: Listing = self.call("get_unspent_outputs", json!([start_index, end_index, max_outputs, true]))?;
        let unspent = listing.outputs.iter().filter(|output| !output.spent).map(NodeOutput::unspent);
        Ok((listing.highest_index, listing.last_retrieved_index, unspent.collect::<Result<_, _>>()?))
    }

    fn height_range_to_pmmr_indices(&self, start_height: u64, end_height: Option<u64>) -> Result<(u64, u64), Error> {
        let listing: Listing = self.call("get_pmmr_indices", json!([start_height, end_height]))?;
        Ok((listing.last_retrieved_index, listing.highest_index))
    }
}
