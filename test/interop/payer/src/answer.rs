//! Which of the mail that arrives is the answer to a payment.

use std::time::Duration;

use nostr_sdk::prelude::*;
use serde_json::json;

use crate::envelope;
use crate::layout::Layout;
use crate::note::Outcome;
use crate::post::Mail;
use crate::record::Payment;
use crate::say::say;
use crate::wallet::Wallet;

pub struct Answer {
    pub armor: String,
    pub wrap: EventId,
    pub version: u8,
    pub layout: Layout,
}

/// Waits for S2. Mail of anybody else, and S2 of another payment, is left alone; words of the key that was paid are passed on.
pub async fn wait_for(
    mail: &mut Mail,
    keys: &Keys,
    wallet: &Wallet,
    payment: &Payment,
    timeout: Duration,
) -> Outcome<Answer> {
    let waiting = async {
        loop {
            let wrap = mail.next().await?;
            if let Some(answer) = answer_in(&wrap, keys, wallet, payment).await? {
                return Ok(answer);
            }
        }
    };
    tokio::time::timeout(timeout, waiting).await.map_err(|_| "no answer came in time")?
}

async fn answer_in(wrap: &Event, keys: &Keys, wallet: &Wallet, payment: &Payment) -> Outcome<Option<Answer>> {
    let opened = match envelope::open(keys, wrap).await {
        Ok(opened) => opened,
        Err(error) => {
            say("unreadable", json!({ "wrap": wrap.id, "error": error.to_string() }));
            return Ok(None);
        }
    };
    let rumor = opened.rumor;
    if rumor.pubkey != payment.key || rumor.kind != Kind::PrivateDirectMessage {
        say("stranger", json!({ "wrap": wrap.id, "from": rumor.pubkey }));
        return Ok(None);
    }
    let Some((armor, layout)) = Layout::read(&rumor.content, payment) else {
        say("text", json!({ "wrap": wrap.id, "content": rumor.content, "tags": rumor.tags }));
        return Ok(None);
    };
    let ours = wallet.answers(armor, &payment.slate_id)?;
    Ok(ours.then(|| Answer { armor: armor.to_owned(), wrap: wrap.id, version: opened.wrap_version, layout }))
}
