// A customer with a Nostr wallet: S1 out in a gift wrap, S2 back in another, to the letter and the timings of the real one
// (specification: invoicing, 4.3, 4.5, 4.8). Every payment comes from a customer of its own.
import type { Secret } from '../lib/secret.js'
import { GIFT_WRAP_KIND, type NostrEvent, RELAY_LIST_KIND, signEvent } from '../nostr/event/index.js'
import { envelopeVersionFor, openWrap, type Rumor, wrapMessage } from '../nostr/gift-wrap/index.js'
import { freshSecret, publicKeyOf } from '../nostr/keys/index.js'
import type { SystemClock, SystemRandom } from '../system/index.js'
import { payLinkInvalid, replyMissing } from './errors.js'
import { type ReadPayLink, readPayLink } from './pay-target.js'
import type { HeldPayment, SandboxPayer, SignedPayment } from './payer.js'
import { dialRelay, type WalletRelay } from './wallet-relay.js'

export interface NostrPayerParts {
  readonly payer: Pick<SandboxPayer, 'payOver' | 'ready'>
  readonly clock: SystemClock
  readonly random: SystemRandom
}

const PREAMBLE = '[Goblin] GRIN payment message — open in Goblin (https://goblin.st) to process.'
const LOOK_BACK_SECONDS = 259_200
/** The wallet itself waits a day; a person at a sandbox does not. */
const PATIENCE_MS = 120_000
const ARMOR = /BEGINSLATEPACK\..*?ENDSLATEPACK\./s

interface Customer {
  readonly secret: Secret<Uint8Array>
  readonly pubkey: string
}

/** Pays the link over its relays. Throws SANDBOX_PAY_LINK, SANDBOX_RELAY_REFUSED, SANDBOX_NO_REPLY with what the till wrote. */
export function createNostrPayer({ payer, clock, random }: NostrPayerParts) {
  function newCustomer(): Customer {
    const secret = freshSecret(random)
    return { secret, pubkey: publicKeyOf(secret) }
  }

  /** Where this customer reads, and what it can open. */
  const relayList = ({ secret }: Customer, relays: readonly string[]): NostrEvent =>
    signEvent(
      {
        kind: RELAY_LIST_KIND,
        created_at: Math.floor(clock.now() / 1000),
        tags: [...relays.map((url) => ['relay', url]), ['encryption', 'nip44_v3 nip44_v2']],
        content: '',
      },
      secret,
      random,
    )

  async function send(link: ReadPayLink, held: HeldPayment, customer: Customer, relays: readonly WalletRelay[]) {
    const filter = { kinds: [RELAY_LIST_KIND], authors: [link.pubkey] }
    const lists = await Promise.all(relays.map((relay) => relay.newest(filter)))
    const { wrap } = wrapMessage({
      content: `${PREAMBLE}\n\n${held.s1}`,
      tags: [['p', link.pubkey], ['goblin', '1'], ...(link.memo === undefined ? [] : [['subject', link.memo]])],
      sender: customer.secret,
      receiver: link.pubkey,
      version: envelopeVersionFor(lists.find((list) => list !== undefined)),
      now: clock.now(),
      random,
    })
    // The wallet continues after the first relay that accepted it.
    await Promise.any(relays.map((relay) => relay.publish(wrap)))
  }

  /** The armor of the reply from the paid key; rejects with the text of a reply without armor. */
  function replyFrom(pubkey: string, customer: Customer, relays: readonly WalletRelay[]): Promise<string> {
    const heard = new AbortController()
    const since = Math.floor(clock.now() / 1000) - LOOK_BACK_SECONDS
    const reply = new Promise<string>((resolve, reject) => {
      const hear = (wrap: NostrEvent) => {
        const rumor = rumorIn(wrap, customer)
        if (rumor?.pubkey !== pubkey) return
        const armor = ARMOR.exec(rumor.content)?.[0]
        if (armor === undefined) reject(replyMissing(rumor.content.slice(0, 500)))
        else resolve(armor)
      }
      for (const relay of relays) relay.listen({ kinds: [GIFT_WRAP_KIND], '#p': [customer.pubkey], since }, hear)
      void clock.sleep(PATIENCE_MS, heard.signal).then(() => reject(replyMissing('nothing in two minutes')))
    })
    return reply.finally(() => heard.abort())
  }

  async function exchange(link: ReadPayLink, held: HeldPayment, relays: readonly WalletRelay[]): Promise<string> {
    const customer = newCustomer()
    const list = relayList(customer, link.relays)
    await Promise.any(relays.map((relay) => relay.publish(list)))
    const reply = replyFrom(link.pubkey, customer, relays)
    reply.catch(() => undefined) // awaited below
    await send(link, held, customer, relays)
    return reply
  }

  async function atRelays<T>(
    urls: readonly string[],
    work: (relays: readonly WalletRelay[]) => Promise<T>,
  ): Promise<T> {
    const dialled = await Promise.allSettled(urls.map((url) => dialRelay(url, clock)))
    const relays = dialled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    const [failed] = dialled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    try {
      if (relays.length === 0) throw failed ?? payLinkInvalid('it names no relay')
      return await work(relays)
    } finally {
      for (const relay of relays) relay.close()
    }
  }

  return {
    async pay(text: string): Promise<SignedPayment> {
      const link = readPayLink(text)
      if (link.amount === undefined) throw payLinkInvalid('it names no amount')
      await payer.ready()
      return payer.payOver(
        link.amount,
        (held) => atRelays(link.relays, (relays) => exchange(link, held, relays)),
        link.proof === undefined ? {} : { proofFrom: link.proof },
      )
    },
  }
}

function rumorIn(wrap: NostrEvent, { secret }: Customer): Rumor | undefined {
  const opened = openWrap(wrap, secret)
  return 'rumor' in opened ? opened.rumor : undefined
}
