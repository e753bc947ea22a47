//! Notes of one author: heard, found, deleted, protected, compared.

use nostr_sdk::prelude::*;
use serde_json::json;

use crate::{dial, published, say, Outcome, PATIENCE};

const EACH: usize = 40;

/// Publishes while another connection listens, finds the event, and deletes it.
pub async fn notes(url: &str) -> Outcome<()> {
    let keys = Keys::generate();
    let filter = Filter::new().kind(Kind::Reaction).author(keys.public_key());
    let listener = dial(url, None).await?;
    let mut heard = listener.notifications();
    listener.subscribe(filter.clone(), None).await?;
    until(&mut heard, |message| matches!(message, RelayMessage::EndOfStoredEvents(_)).then_some(())).await?;

    let author = dial(url, Some(&keys)).await?;
    let event = EventBuilder::new(Kind::Reaction, "+").sign_with_keys(&keys)?;
    refused(published(&author, &event).await?)?;
    let live = until(&mut heard, |message| match message {
        RelayMessage::Event { event, .. } => Some(event.into_owned()),
        _ => None,
    })
    .await?;
    say("heard", json!({ "same": live.as_json() == event.as_json() }));

    let reader = dial(url, None).await?;
    let found = reader.fetch_events(filter.clone(), PATIENCE).await?;
    say("found", json!({ "events": found.len() }));

    let deletion = EventBuilder::delete(EventDeletionRequest::new().id(event.id)).sign_with_keys(&keys)?;
    refused(published(&author, &deletion).await?)?;
    // a client that never saw the event: rust-nostr remembers
    let left = dial(url, None).await?.fetch_events(filter, PATIENCE).await?;
    let again = published(&dial(url, None).await?, &event).await?;
    say("deleted", json!({ "left": left.len(), "again": again }));
    Ok(())
}

fn refused(reason: String) -> Outcome<()> {
    if reason.is_empty() {
        Ok(())
    } else {
        Err(reason.into())
    }
}

pub type Heard = tokio::sync::broadcast::Receiver<RelayPoolNotification>;

pub async fn until<T>(heard: &mut Heard, mut wanted: impl FnMut(RelayMessage<'static>) -> Option<T>) -> Outcome<T> {
    let first = async {
        loop {
            if let RelayPoolNotification::Message { message, .. } = heard.recv().await? {
                if let Some(found) = wanted(message) {
                    return Ok(found);
                }
            }
        }
    };
    tokio::time::timeout(PATIENCE, first).await?
}

/// A protected event (NIP-70) is taken only from its author's connection (NIP-42).
pub async fn protected(url: &str) -> Outcome<()> {
    let (keys, others) = (Keys::generate(), Keys::generate());
    let event = EventBuilder::new(Kind::Reaction, "+").tag(Tag::protected()).sign_with_keys(&keys)?;
    let stranger = published(&dial(url, None).await?, &event).await?;
    let other = published(&dial(url, Some(&others)).await?, &event).await?;
    let author = published(&dial(url, Some(&keys)).await?, &event).await?;
    say("protected", json!({ "stranger": stranger, "other": other, "author": author }));
    Ok(())
}

/// Each side has events that the other lacks, and some are known to both (NIP-77).
pub async fn compare(url: &str) -> Outcome<()> {
    let keys = Keys::generate();
    let (sender, local) = (dial(url, Some(&keys)).await?, dial(url, Some(&keys)).await?);
    for n in 0..3 * EACH {
        let event = EventBuilder::new(Kind::Reaction, n.to_string()).sign_with_keys(&keys)?;
        if n < 2 * EACH {
            refused(published(&sender, &event).await?)?;
        }
        if n >= EACH {
            local.database().save_event(&event).await?;
        }
    }
    let filter = Filter::new().kind(Kind::Reaction).author(keys.public_key());
    let options = SyncOptions::default().direction(SyncDirection::Both);
    local.sync(filter.clone(), &options).await?;
    let here = local.database().count(filter.clone()).await?;
    let there = dial(url, None).await?.fetch_events(filter, PATIENCE).await?;
    say("compared", json!({ "here": here, "there": there.len() }));
    Ok(())
}
