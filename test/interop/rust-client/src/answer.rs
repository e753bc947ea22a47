//! Answers what the test asks on standard input: a JSON object per line and per answer. The test has the events, the client the protocol.

use std::borrow::Cow;

use nostr_sdk::prelude::*;
use serde_json::{json, Value};

use crate::notes::{until, Heard};
use crate::{dial, published, Outcome, PATIENCE};

struct Listener {
    /// Kept open while its messages are awaited.
    _client: Client,
    heard: Heard,
}

pub async fn answer(url: &str) -> Outcome<()> {
    let mut listener = None;
    for line in std::io::stdin().lines() {
        let question: Value = serde_json::from_str(&line?)?;
        let reply = match reply(url, &question, &mut listener).await {
            Ok(reply) => reply,
            Err(error) => json!({ "error": error.to_string() }),
        };
        println!("{reply}");
    }
    Ok(())
}

async fn reply(url: &str, question: &Value, listener: &mut Option<Listener>) -> Outcome<Value> {
    let keys = question["as"].as_str().map(Keys::parse).transpose()?;
    let given = &question["given"];
    match question["do"].as_str().unwrap_or_default() {
        "publish" => {
            let client = dial(url, keys.as_ref()).await?;
            let reason = published(&client, &serde_json::from_value(given.clone())?).await?;
            client.shutdown().await;
            Ok(json!({ "reason": reason }))
        }
        "query" => {
            let client = dial(url, keys.as_ref()).await?;
            let found = client.fetch_events(filter(given)?, PATIENCE).await;
            client.shutdown().await;
            Ok(json!({ "events": found?.to_vec() }))
        }
        "count" => {
            let client = dial(url, None).await?;
            let count = count(&client, url, filter(given)?).await;
            client.shutdown().await;
            Ok(json!({ "count": count? }))
        }
        "listen" => {
            let client = dial(url, None).await?;
            let mut heard = client.notifications();
            client.subscribe(filter(given)?, None).await?;
            until(&mut heard, |message| matches!(message, RelayMessage::EndOfStoredEvents(_)).then_some(())).await?;
            *listener = Some(Listener { _client: client, heard });
            Ok(json!({}))
        }
        "heard" => {
            let Listener { heard, .. } = listener.as_mut().ok_or("nothing was subscribed")?;
            let mut events = Vec::new();
            for _ in 0..given.as_u64().unwrap_or_default() {
                let live = |message| match message {
                    RelayMessage::Event { event, .. } => Some(event.into_owned()),
                    _ => None,
                };
                events.push(until(heard, live).await?);
            }
            Ok(json!({ "events": events }))
        }
        "sync" => {
            let client = dial(url, None).await?;
            for event in serde_json::from_value::<Vec<Event>>(question["local"].clone())? {
                client.database().save_event(&event).await?;
            }
            let options = SyncOptions::default().direction(SyncDirection::Both);
            client.sync(filter(given)?, &options).await?;
            let events = client.database().query(filter(given)?).await?;
            client.shutdown().await;
            Ok(json!({ "events": events.to_vec() }))
        }
        other => Err(format!("unknown: {other}").into()),
    }
}

/// `count_events` of rust-nostr listens only after it has asked, and can miss a fast answer.
async fn count(client: &Client, url: &str, filter: Filter) -> Outcome<usize> {
    let mut heard = client.notifications();
    let question =
        ClientMessage::Count { subscription_id: Cow::Owned(SubscriptionId::generate()), filter: Cow::Owned(filter) };
    client.relay(url).await?.send_msg(question)?;
    let answer = |message| match message {
        RelayMessage::Count { count, .. } => Some(count),
        _ => None,
    };
    until(&mut heard, answer).await
}

fn filter(given: &Value) -> Outcome<Filter> {
    Ok(serde_json::from_value(given.clone())?)
}
