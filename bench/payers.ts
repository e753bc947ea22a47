// Customers of the Nostr rail: each has a key and a relay list of its own and pays one invoice, with a payment proof asked for.
import { nanoGrin } from '../src/grin/amount/index.js'
import { openKeychain, outputIdentifier } from '../src/grin/keychain/index.js'
import { createS1, planSpend } from '../src/grin/payer/index.js'
import { armorSlate, parseAddress, readSlatepack } from '../src/grin/slatepack/index.js'
import { Secret } from '../src/lib/secret.js'
import { type NostrEvent, signEvent } from '../src/nostr/event/index.js'
import { openWrap, wrapMessage } from '../src/nostr/gift-wrap/index.js'
import { publicKeyOf } from '../src/nostr/keys/index.js'
import { readPayLink } from '../src/sandbox/pay-target.js'
import { systemRandom as random } from '../src/system/index.js'
import type { Server } from './load.js'
import { postOf } from './posts.js'
import { API } from './till.js'

/** Part of the answer of POST /invoice. */
export interface Bill {
  readonly invoice_id: string
  readonly token: string
  readonly recipient_pubkey: string
  readonly pay_link: string
}

/** A payment that only has to be sent. */
export interface ReadyPayment {
  readonly bill: Bill
  readonly slateId: string
  /** The payer. */
  readonly pubkey: string
  readonly secret: Secret<Uint8Array>
  /** The S1 in its gift wrap. */
  readonly wrap: NostrEvent
  /** Where the payer reads, for the relay to tell the till. */
  readonly relayList: NostrEvent
}

const AMOUNT = nanoGrin(1_500_000_000n)
const COIN = 60_000_000_000n
const PREAMBLE = '[Goblin] GRIN payment message \u2014 open in Goblin (https://goblin.st) to process.'
const ARMOR = /BEGINSLATEPACK\..*?ENDSLATEPACK\./s
const CLIENTS = 16
const FORM = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' }

const keychain = openKeychain(new Uint8Array(32).fill(1))
const seed = keychain.addressSeed(0, 0)
let nextKey = 0

/** Creates invoices with a receiving key each, over several connections. */
export async function createBills(url: string, count: number): Promise<readonly Bill[]> {
  const body = JSON.stringify({ amount_grin: Number(AMOUNT), order_ref: 'order-1001', memo: 'two coffees' })
  const bills: Bill[] = []
  let left = count
  const client = async () => {
    while (left-- > 0) {
      const answer = await fetch(`${url}/invoice`, { method: 'POST', headers: API, body })
      if (!answer.ok) throw new Error(`POST /invoice: ${answer.status} ${await answer.text()}`)
      bills.push((await answer.json()) as Bill)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  return bills
}

export const isPaid = async (url: string, { invoice_id }: Bill): Promise<boolean> => {
  const answer = await fetch(`${url}/invoice/${invoice_id}`, { headers: API })
  return ((await answer.json()) as { readonly status: string }).status === 'paid'
}

/** The paste of a new customer's S1 into the page of the invoice, as it goes over the wire. */
export function pasteOf(server: Server, bill: Bill): Buffer {
  const slatepack = armoredS1(bill).armor
  const form = new URLSearchParams({ slatepack }).toString()
  return postOf(server, `/pay/${bill.token}/slatepack`, FORM, form)
}

function armoredS1({ pay_link }: Bill): { readonly id: string; readonly armor: string } {
  const { proof = '' } = readPayLink(pay_link)
  const coin = { identifier: outputIdentifier(0, nextKey++), value: COIN }
  const { slate } = createS1({
    amount: AMOUNT,
    spend: planSpend([coin], AMOUNT, outputIdentifier(0, nextKey++)),
    id: random.uuid(),
    random,
    proof: { recipient: parseAddress(proof, 'tgrin'), seed },
  })
  return { id: slate.id, armor: armorSlate(slate, { prefix: 'tgrin' }) }
}

/** S1, gift wrap and relay list of a new customer: ten milliseconds of work that no figure should contain. */
export function preparePayment(bill: Bill, relay: string): ReadyPayment {
  const secret = new Secret(random.bytes(32))
  const { pubkey } = readPayLink(bill.pay_link)
  const { id, armor } = armoredS1(bill)
  const content = `${PREAMBLE}\n\n${armor}`
  const tags = [
    ['p', pubkey],
    ['goblin', '1'],
  ]
  const now = Date.now()
  const { wrap } = wrapMessage({ content, tags, sender: secret, receiver: pubkey, version: 3, now, random })
  return { bill, slateId: id, pubkey: publicKeyOf(secret), secret, wrap, relayList: listOf(secret, relay) }
}

const listOf = (secret: Secret<Uint8Array>, relay: string): NostrEvent => {
  const tags = [
    ['relay', relay],
    ['encryption', 'nip44_v3 nip44_v2'],
  ]
  return signEvent({ kind: 10050, created_at: Math.floor(Date.now() / 1000), tags, content: '' }, secret, random)
}

/** Whether this wrap is the S2 of the payment, from the very key that was paid. */
export async function isAnswer({ bill, slateId, secret }: ReadyPayment, wrap: NostrEvent): Promise<boolean> {
  const opened = openWrap(wrap, secret)
  if (!('rumor' in opened) || opened.rumor.pubkey !== bill.recipient_pubkey) return false
  const armor = ARMOR.exec(opened.rumor.content)?.[0]
  if (armor === undefined) throw new Error(`the till wrote: ${opened.rumor.content}`)
  const { slate } = await readSlatepack(armor, { prefix: 'tgrin' })
  return slate.id === slateId && slate.state === 'S2'
}

/** A gift wrap as large as this one, to a key that nobody has. */
export function wrapToStranger({ content }: NostrEvent): { readonly to: string; readonly wrap: NostrEvent } {
  const to = publicKeyOf(new Secret(random.bytes(32)))
  const template = { kind: 1059, created_at: Math.floor(Date.now() / 1000), tags: [['p', to]], content }
  return { to, wrap: signEvent(template, new Secret(random.bytes(32)), random) }
}
