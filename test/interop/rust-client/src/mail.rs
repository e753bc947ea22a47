//! A gift wrap (NIP-59): how many see it who say nothing, who are somebody else, and who it is for.

use nostr_sdk::prelude::*;
use serde_json::json;

use crate::{dial, published, say, Outcome, PATIENCE};

pub async fn mail(url: &str) -> Outcome<()> {
    let (sender, recipient, stranger) = (Keys::generate(), Keys::generate(), Keys::generate());
    let wrap = EventBuilder::private_msg(&sender, recipient.public_key(), "for you", []).await?;
    let refusal = published(&dial(url, Some(&sender)).await?, &wrap).await?;
    if !refusal.is_empty() {
        return Err(refusal.into());
    }

    let filter = Filter::new().kind(Kind::GiftWrap).pubkey(recipient.public_key());
    let anybody = read(&dial(url, None).await?, &filter).await?;
    let others = read(&dial(url, Some(&stranger)).await?, &filter).await?;
    let owner = dial(url, Some(&recipient)).await?;
    let own = read(&owner, &filter).await?;
    let content = match own.first() {
        Some(wrap) => owner.unwrap_gift_wrap(wrap).await?.rumor.content,
        None => String::new(),
    };
    let seen = json!({ "anybody": anybody.len(), "others": others.len(), "recipient": own.len(), "content": content });
    say("mail", seen);
    Ok(())
}

/// A subscription that the relay closes for want of a key shows nothing.
async fn read(client: &Client, filter: &Filter) -> Outcome<Events> {
    Ok(client.fetch_events(filter.clone(), PATIENCE).await.unwrap_or_else(|_| Events::new(filter)))
}
