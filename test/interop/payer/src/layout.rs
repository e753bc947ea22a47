//! The two ways wallets put a slatepack into a message: a Goblin's text, and a Smirk's JSON.

use serde_json::{json, Value};

use crate::note::{self, Outcome};
use crate::record::Payment;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Layout {
    Goblin,
    Smirk,
}

impl Layout {
    pub fn parse(text: &str) -> Outcome<Self> {
        match text {
            "goblin" => Ok(Layout::Goblin),
            "smirk" => Ok(Layout::Smirk),
            other => Err(format!("no such layout: {other}").into()),
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Layout::Goblin => "goblin",
            Layout::Smirk => "smirk",
        }
    }

    /// The content of the message that carries S1.
    pub fn offer(self, payment: &Payment) -> String {
        match self {
            Layout::Goblin => note::message(&payment.offer),
            Layout::Smirk => json!({
                "type": "grin-slatepack", "v": 1, "role": "offer", "slateId": payment.slate_id,
                "slatepack": payment.offer, "amount": payment.amount, "memo": payment.subject
            })
            .to_string(),
        }
    }

    /// The armor of an answer in this layout or the other one, and which it was.
    pub fn read<'a>(content: &'a str, payment: &Payment) -> Option<(&'a str, Self)> {
        let armor = note::armor_of(content)?;
        match serde_json::from_str::<Value>(content) {
            Ok(json) if json["role"] == "response" && json["slateId"] == payment.slate_id.to_string() => {
                Some((armor, Layout::Smirk))
            }
            Ok(_) => None,
            Err(_) => Some((armor, Layout::Goblin)),
        }
    }
}
