//! grinpay-rust-client: one round through a relay with rust-nostr; says what it saw, a JSON object per line. With `answer` it does what
//! standard input asks instead. See ../README.md.

mod answer;
mod mail;
mod notes;

use std::time::Duration;

use nostr_sdk::prelude::*;
use serde_json::{json, Value};

pub type Outcome<T> = std::result::Result<T, Box<dyn std::error::Error>>;

pub const PATIENCE: Duration = Duration::from_secs(10);

pub fn say(step: &str, mut members: Value) {
    members["step"] = json!(step);
    println!("{members}");
}

/// Connected; authenticates by itself when it is asked to and has keys.
pub async fn dial(url: &str, keys: Option<&Keys>) -> Outcome<Client> {
    let database = MemoryDatabase::with_opts(MemoryDatabaseOptions { events: true, max_events: None });
    let options = ClientOptions::new().automatic_authentication(keys.is_some());
    let builder = Client::builder().database(database).opts(options);
    let client = keys.map_or(builder.clone(), |keys| builder.signer(keys.clone())).build();
    client.add_relay(url).await?;
    client.connect().await;
    client.wait_for_connection(PATIENCE).await;
    Ok(client)
}

/// Why the relay refused; empty when it did not.
pub async fn published(client: &Client, event: &Event) -> Outcome<String> {
    match client.send_event(event).await {
        Ok(sent) => Ok(sent.failed.into_values().next().unwrap_or_default()),
        Err(error) => Err(error.into()),
    }
}

async fn round(url: &str) -> Outcome<()> {
    notes::notes(url).await?;
    notes::protected(url).await?;
    mail::mail(url).await?;
    notes::compare(url).await
}

#[tokio::main]
async fn main() {
    let Some(url) = std::env::args().nth(1) else {
        eprintln!("grinpay-rust-client ws://HOST:PORT [answer]");
        std::process::exit(2);
    };
    let outcome = match std::env::args().nth(2) {
        Some(_) => answer::answer(&url).await,
        None => round(&url).await,
    };
    if let Err(error) = outcome {
        say("failed", json!({ "error": error.to_string() }));
        std::process::exit(1);
    }
}
