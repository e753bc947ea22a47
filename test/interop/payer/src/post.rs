//! The wallet's side of the relays: its own mail, its messages, other people's relay lists.

use std::time::Duration;

use nostr_sdk::prelude::*;
use tokio::sync::broadcast::{error::RecvError, Receiver};

use crate::note::Outcome;

const DIAL: Duration = Duration::from_secs(6);
const LOOK_UP: Duration = Duration::from_secs(10);
const PUBLISH: Duration = Duration::from_secs(40);
/// Two days of invented timestamps and one of grace.
const MAIL_AGE: Duration = Duration::from_secs(259_200);
const MOST_TARGETS: usize = 3;

pub struct PostOffice {
    client: Client,
}

/// Gift wraps to this wallet, each once, stored ones first.
pub struct Mail {
    notifications: Receiver<RelayPoolNotification>,
}

impl PostOffice {
    pub async fn connect(keys: &Keys, relays: &[RelayUrl]) -> Outcome<Self> {
        let client = Client::new(keys.clone());
        let office = PostOffice { client };
        office.dial(relays).await?;
        Ok(office)
    }

    /// One more relay that cannot be reached is no error; none at all is.
    async fn dial(&self, relays: &[RelayUrl]) -> Outcome<()> {
        for relay in relays {
            self.client.add_relay(relay.clone()).await?;
        }
        let dialled = self.client.try_connect(DIAL).await;
        let connected = self.client.relays().await.values().any(|relay| relay.is_connected());
        connected.then_some(()).ok_or_else(|| format!("no relay can be reached: {:?}", dialled.failed).into())
    }

    pub async fn mail(&self, keys: &Keys) -> Outcome<Mail> {
        let notifications = self.client.notifications();
        let since = Timestamp::now() - MAIL_AGE;
        let filter = Filter::new().kind(Kind::GiftWrap).pubkey(keys.public_key()).since(since);
        self.client.subscribe(filter, None).await?;
        Ok(Mail { notifications })
    }

    /// The newest kind 10050 of a key.
    pub async fn relay_list(&self, key: &PublicKey) -> Outcome<Option<Event>> {
        let filter = Filter::new().kind(Kind::InboxRelays).author(*key).limit(1);
        let found = self.client.fetch_events(filter, LOOK_UP).await?;
        Ok(found.into_iter().max_by_key(|event| event.created_at))
    }

    /// Where mail to the owner of this list goes: the first relays it names, and those the link named.
    pub async fn targets(&self, list: Option<&Event>, linked: &[RelayUrl]) -> Outcome<Vec<RelayUrl>> {
        let listed = list.iter().flat_map(|event| event.tags.iter()).filter_map(|tag| match tag.as_slice() {
            [name, url, ..] if name == "relay" => RelayUrl::parse(url).ok(),
            _ => None,
        });
        let mut targets: Vec<RelayUrl> = listed.take(MOST_TARGETS).collect();
        targets.extend(linked.iter().filter(|url| !targets.contains(url)).cloned().collect::<Vec<_>>());
        self.dial(&targets).await?;
        Ok(targets)
    }

    /// Answers the relays that took it; none is an error.
    pub async fn publish(&self, event: &Event, relays: &[RelayUrl]) -> Outcome<Vec<String>> {
        let sent = tokio::time::timeout(PUBLISH, self.client.send_event_to(relays.to_vec(), event)).await??;
        if sent.success.is_empty() {
            return Err(format!("no relay took the message: {:?}", sent.failed).into());
        }
        Ok(sent.success.iter().map(RelayUrl::to_string).collect())
    }

    /// Tells senders where this wallet reads and which encryption it knows.
    pub async fn announce(&self, keys: &Keys, relays: &[RelayUrl], encryption: &str) -> Outcome<()> {
        let tags = relays.iter().map(|url| Tag::parse(["relay".to_owned(), url.to_string()]));
        let mut tags = tags.collect::<Result<Vec<_>, _>>()?;
        tags.push(Tag::parse(["encryption", encryption])?);
        let list = EventBuilder::new(Kind::InboxRelays, "").tags(tags).sign_with_keys(keys)?;
        self.publish(&list, relays).await.map(|_| ())
    }

    pub async fn close(self) {
        self.client.shutdown().await;
    }
}

impl Mail {
    pub async fn next(&mut self) -> Outcome<Event> {
        loop {
            match self.notifications.recv().await {
                Ok(RelayPoolNotification::Event { event, .. }) if event.kind == Kind::GiftWrap => return Ok(*event),
                Ok(RelayPoolNotification::Shutdown) | Err(RecvError::Closed) => {
                    return Err("the relays are gone".into())
                }
                Ok(_) | Err(RecvError::Lagged(_)) => {}
            }
        }
    }
}
