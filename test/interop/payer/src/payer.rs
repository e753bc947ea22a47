//! A customer who pays over Nostr: sends S1, waits for S2 of the key that was paid, finishes, posts; or gives up.

use std::path::Path;
use std::time::{Duration, Instant};

use nostr_sdk::prelude::*;
use serde_json::json;

use crate::answer;
use crate::args::Args;
use crate::envelope::{self, Version};
use crate::layout::Layout;
use crate::link;
use crate::note::{self, Outcome};
use crate::post::PostOffice;
use crate::record::{Payment, Records};
use crate::say::say;
use crate::wallet::{self, Wallet};

/// Both versions, best first: what the wallet announces unless told otherwise.
const ENCRYPTION: &str = "nip44_v3 nip44_v2";

pub struct Payer {
    wallet: Wallet,
    records: Records,
    keys: Keys,
    timeout: Duration,
}

impl Payer {
    pub fn open(args: &Args) -> Outcome<Self> {
        wallet::choose_chain(args.get("chain").unwrap_or("usernet"))?;
        let dir = Path::new(args.need("wallet-dir")?);
        let records = Records::of(dir)?;
        Ok(Payer {
            wallet: Wallet::open(dir, args.need("password")?, args.need("node")?)?,
            keys: records.identity(args.get("nsec"))?,
            records,
            timeout: Duration::from_secs(args.number("timeout", 60)?),
        })
    }

    pub fn identity(&self) -> Outcome<()> {
        self.wallet.refresh()?;
        say(
            "identity",
            json!({ "pubkey": self.keys.public_key(), "address": self.wallet.address()?, "height": self.wallet.height()? }),
        );
        Ok(())
    }

    /// The whole payment of a pay link. `--stop-at sent|answered` ends it earlier.
    pub async fn pay(&self, args: &Args) -> Outcome<()> {
        let link = link::parse(args.need("link")?)?;
        let amount =
            args.get("amount").and_then(link::amount).or(link.amount).ok_or("no amount in the link: --amount")?;
        let subject = args.get("subject").map(str::to_owned).or(link.memo).and_then(|memo| note::note(&memo));
        self.wallet.refresh()?;
        let encrypt = args.get("encrypt") == Some("yes");
        let offer = self.wallet.offer(amount, link.proof.as_deref(), encrypt)?;
        let payment = Payment {
            slate_id: offer.slate_id,
            amount: offer.amount,
            key: link.key,
            relays: link.relays,
            subject,
            offer: offer.armor,
            answer: None,
            excess: None,
        };
        self.records.save(&payment)?;
        say(
            "offered",
            json!({ "slate_id": payment.slate_id, "amount": amount, "fee": offer.fee, "proof": link.proof, "order": link.order, "notify": link.notify, "count": link.count }),
        );
        self.send(payment, args).await
    }

    /// The same S1 in a new wrap, as a wallet sends it that did not hear anything.
    pub async fn resend(&self, args: &Args) -> Outcome<()> {
        let payment = self.records.load(args.need("slate-id")?)?;
        self.send(payment, args).await
    }

    /// Takes up a payment whose answer came while the wallet was closed.
    pub async fn finish(&self, args: &Args) -> Outcome<()> {
        let mut payment = self.records.load(args.need("slate-id")?)?;
        if payment.answer.is_none() {
            let office = PostOffice::connect(&self.keys, &payment.relays).await?;
            let mut mail = office.mail(&self.keys).await?;
            payment.answer =
                Some(answer::wait_for(&mut mail, &self.keys, &self.wallet, &payment, self.timeout).await?.armor);
            self.records.save(&payment)?;
            office.close().await;
        }
        self.settle(payment)
    }

    /// Cancels here and tells the key that was paid.
    pub async fn void(&self, args: &Args) -> Outcome<()> {
        let payment = self.records.load(args.need("slate-id")?)?;
        self.wallet.cancel(payment.slate_id)?;
        let office = PostOffice::connect(&self.keys, &payment.relays).await?;
        let action = Tag::parse(["goblin-action".to_owned(), "void".to_owned(), payment.slate_id.to_string()])?;
        let content = "[Goblin] This payment was cancelled.";
        let rumor = EventBuilder::new(Kind::PrivateDirectMessage, content)
            .tags([Tag::public_key(payment.key), action])
            .build(self.keys.public_key());
        let (wrap, relays, version) = self.deliver(&office, &payment, rumor, args).await?;
        office.close().await;
        say("voided", json!({ "slate_id": payment.slate_id, "wrap": wrap, "relays": relays, "version": version }));
        Ok(())
    }

    async fn send(&self, mut payment: Payment, args: &Args) -> Outcome<()> {
        let office = PostOffice::connect(&self.keys, &payment.relays).await?;
        let encryption = args.get("encryption").unwrap_or(ENCRYPTION);
        if encryption != "none" {
            office.announce(&self.keys, &payment.relays, encryption).await?;
        }
        let mut mail = office.mail(&self.keys).await?;
        let (wrap, relays, version) = self.deliver(&office, &payment, self.offer_rumor(&payment, args)?, args).await?;
        let sent = Instant::now();
        say("sent", json!({ "slate_id": payment.slate_id, "wrap": wrap, "relays": relays, "version": version }));
        if args.get("stop-at") == Some("sent") {
            return Ok(());
        }
        let answer = answer::wait_for(&mut mail, &self.keys, &self.wallet, &payment, self.timeout).await?;
        office.close().await;
        say(
            "answered",
            json!({ "slate_id": payment.slate_id, "wrap": answer.wrap, "version": answer.version, "layout": answer.layout.name(), "seconds": sent.elapsed().as_secs_f64(), "slatepack": answer.armor }),
        );
        let finished = payment.excess.is_some();
        payment.answer = Some(answer.armor);
        self.records.save(&payment)?;
        match args.get("stop-at") {
            Some("answered") => Ok(()),
            _ if finished => Ok(()),
            _ => self.settle(payment),
        }
    }

    fn settle(&self, mut payment: Payment) -> Outcome<()> {
        let excess = self.wallet.finish(payment.answer.as_deref().ok_or("no answer yet")?)?;
        payment.excess = Some(excess.clone());
        self.records.save(&payment)?;
        say("paid", json!({ "slate_id": payment.slate_id, "excess": excess }));
        Ok(())
    }

    fn offer_rumor(&self, payment: &Payment, args: &Args) -> Outcome<UnsignedEvent> {
        let layout = Layout::parse(args.get("layout").unwrap_or("goblin"))?;
        let mut tags = vec![Tag::public_key(payment.key), Tag::parse(["goblin", "1"])?];
        if let Some(subject) = &payment.subject {
            tags.push(Tag::parse(["subject", subject])?);
        }
        let rumor = EventBuilder::new(Kind::PrivateDirectMessage, layout.offer(payment)).tags(tags);
        Ok(rumor.build(self.keys.public_key()))
    }

    /// Wraps for the key that was paid as its relay list asks (`--version` overrules), and publishes to its relays.
    async fn deliver(
        &self,
        office: &PostOffice,
        payment: &Payment,
        rumor: UnsignedEvent,
        args: &Args,
    ) -> Outcome<(EventId, Vec<String>, u8)> {
        let list = office.relay_list(&payment.key).await?;
        let version = args.get("version").map(Version::parse).transpose()?;
        let version = version.unwrap_or(Version::asked_by(list.as_ref()));
        let targets = office.targets(list.as_ref(), &payment.relays).await?;
        let wrap = envelope::wrap(&self.keys, &payment.key, rumor, version).await?;
        let relays = office.publish(&wrap, &targets).await?;
        Ok((wrap.id, relays, version.number()))
    }
}
