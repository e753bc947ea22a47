// Child process of the crash rounds: many callers at once on one store, each acknowledged verb printed as a line of JSON
// after its promise resolved. It never ends by itself: the parent kills it.
import { randomBytes, randomUUID } from 'node:crypto'
import { writeSync } from 'node:fs'
import { hasCode } from '../../src/lib/errors.js'
import { openTillStore } from '../../src/storage/index.js'
import type { Invoice } from '../../src/till/index.js'
import { WALLET } from '../support/temporary-store.js'
import { anEvent, anInvoice, anInvoiceSlate, aPayment, DAY, look, NOON, WORKER } from '../support/till-builders.js'
import type { Acknowledged } from './store-acks.js'

const CALLERS = 24
const path = process.argv[2]
if (path === undefined) throw new Error('usage: store-hammer PATH')

const hex = (bytes: number) => randomBytes(bytes).toString('hex')
const still = new Int32Array(new SharedArrayBuffer(4))

/** Straight into the pipe: what was written before SIGKILL reaches the parent. Waits while the pipe is full. */
function say(ack: Acknowledged): void {
  let rest: Uint8Array = Buffer.from(`${JSON.stringify(ack)}\n`)
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest))
    } catch (error) {
      if (!hasCode(error, 'EAGAIN')) throw error
      Atomics.wait(still, 0, 0, 1)
    }
  }
}

const store = await openTillStore({ path, ...WALLET })

async function newInvoice(over: Partial<Invoice> = {}): Promise<Invoice> {
  const secrets = { id: hex(16), token: randomBytes(32).toString('base64url'), recipientPubkey: hex(32) }
  const invoice = anInvoice({ ...secrets, ...over })
  await store.insertInvoice(invoice, NOON)
  say({ verb: 'invoice', id: invoice.id })
  return invoice
}

async function newPayment(invoice: Invoice | undefined) {
  const keyIndex = await store.takeKeyIndex()
  say({ verb: 'key', index: keyIndex })
  const bytes = { commitment: randomBytes(33), excess: randomBytes(33) }
  return aPayment({ id: randomUUID(), invoiceId: invoice?.id ?? null, keyIndex, ...bytes })
}

const eventOf = (type: 'payment.received' | 'payment.confirmed', invoiceId: string | null, paymentId: string) =>
  anEvent({ eventId: hex(16), type, invoiceId, paymentId, receivers: [1, 2] })

/** Two payers race for one invoice; the winner's payment is confirmed or given up. */
async function race(): Promise<void> {
  const invoice = await newInvoice()
  const offers = await Promise.all([newPayment(invoice), newPayment(invoice)])
  const answers = await Promise.all(
    offers.map((payment) =>
      store.acceptPayment(payment, eventOf('payment.received', invoice.id, payment.id), NOON, NOON),
    ),
  )
  const payment = offers[answers.findIndex(({ outcome }) => outcome === 'accepted')]
  if (!payment) throw new Error('no payment was accepted')
  say({ verb: 'paid', invoice: invoice.id, payment: payment.id, keyIndex: payment.keyIndex })
  await settle(invoice.id, payment.id)
}

async function settle(invoiceId: string | null, paymentId: string): Promise<void> {
  await store.markReplied(paymentId)
  const sighting = { paymentId, minedHeight: 7, confirmations: 10, nextCheckAt: null }
  if (Math.random() < 0.2) {
    await store.abandonPayment(paymentId, null)
    say({ verb: 'abandoned', payment: paymentId })
    return
  }
  await store.recordSighting({ ...sighting, settlement: 'mined' }, NOON)
  const event = eventOf('payment.confirmed', invoiceId, paymentId)
  await store.confirmPayment({ ...sighting, settlement: 'confirmed' }, () => event, NOON)
  say({ verb: 'confirmed', payment: paymentId })
}

/** Over Nostr: the reply is owed with the payment, and some relays take it at the second try. */
async function posted(): Promise<void> {
  const invoice = await newInvoice()
  const payment = { ...(await newPayment(invoice)), rail: 'nostr' as const }
  const event = eventOf('payment.received', invoice.id, payment.id)
  const messages = [{ kind: 'reply', layout: 'plain' }] as const
  await store.acceptPayment(payment, event, NOON, NOON, { messages })
  say({ verb: 'paid', invoice: invoice.id, payment: payment.id, keyIndex: payment.keyIndex })
  const ids = [hex(32), hex(32)]
  await store.markSeen(ids, NOON)
  for (const id of ids) say({ verb: 'seen', id })
  await store.keepWrap(payment.id, 'reply', '{}')
  await store.recordPosting(payment.id, 'reply', { acceptedBy: [], error: 'no relay', nextAttemptAt: NOON, by: WORKER })
  await store.recordPosting(payment.id, 'reply', {
    acceptedBy: ['wss://a'],
    error: null,
    nextAttemptAt: NOON,
    by: WORKER,
  })
  say({ verb: 'posted', payment: payment.id })
  await settle(invoice.id, payment.id)
}

/** On the grin1 rail: the answer to the slate races with an ordinary payment. */
async function finished(): Promise<void> {
  const [id, slateId] = [hex(16), randomUUID()]
  const keyIndex = await store.takeKeyIndex()
  say({ verb: 'key', index: keyIndex })
  const names = { id, token: randomBytes(32).toString('base64url'), recipientPubkey: hex(32) }
  const invoice = anInvoice({ ...names, offeredRail: 'grin1', slateId, slatepack: 'ARMOR' })
  await store.insertInvoice(invoice, NOON, undefined, anInvoiceSlate({ slateId, invoiceId: id, keyIndex }))
  say({ verb: 'issued', slate: slateId })
  const rival = await newPayment(invoice)
  const own = { ...rival, id: slateId, keyIndex, commitment: randomBytes(33), excess: randomBytes(33) }
  const offers = [
    () =>
      store.acceptPayment(own, eventOf('payment.received', id, slateId), NOON, NOON, {
        finished: { slateId, transaction: '{}' },
      }),
    () => store.acceptPayment(rival, eventOf('payment.received', id, rival.id), NOON, NOON),
  ]
  await Promise.all((Math.random() < 0.5 ? offers : offers.reverse()).map((offer) => offer()))
  const winner = (await store.paymentById(slateId)) ? own : rival
  say({ verb: 'paid', invoice: id, payment: winner.id, keyIndex: winner.keyIndex })
  await settle(id, winner.id)
}

async function unmatched(): Promise<void> {
  const payment = await newPayment(undefined)
  await store.acceptPayment(payment, eventOf('payment.received', null, payment.id), NOON, NOON)
  say({ verb: 'unmatched', payment: payment.id, keyIndex: payment.keyIndex })
  const invoice = await newInvoice({ expiresAt: NOON + DAY })
  const answer = await store.assignPayment(payment.id, invoice.id, 'received', [], NOON)
  if (answer !== 'assigned') throw new Error(`assign: ${answer}`)
  say({ verb: 'paid', invoice: invoice.id, payment: payment.id, keyIndex: payment.keyIndex })
}

/** A client that repeats itself: one invoice may come of it. The key doubles as order_ref, so the checker can count. */
async function repeated(): Promise<void> {
  const key = { key: hex(16), digest: hex(32) }
  const attempt = () =>
    store.insertInvoice(
      anInvoice({ id: hex(16), token: randomBytes(32).toString('base64url'), orderRef: key.key }),
      NOON,
      key,
    )
  const answers = await Promise.all([attempt(), attempt(), attempt()])
  if (answers.filter(({ outcome }) => outcome === 'created').length !== 1) throw new Error('created twice')
  say({ verb: 'once', orderRef: key.key })
}

async function delivered(): Promise<void> {
  const [due] = await store.claimDeliveries(1, look(NOON, 1))
  if (!due) return
  const attempt = { startedAt: NOON, durationMs: 1, httpStatus: 200, error: null, answerHead: '', by: WORKER }
  await store.recordAttempt(due.eventId, 1, attempt)
  say({ verb: 'delivered', event: due.eventId })
}

const DEEDS = [race, race, posted, finished, unmatched, repeated, newInvoice, delivered] as const

async function caller(): Promise<never> {
  for (;;) await DEEDS[Math.floor(Math.random() * DEEDS.length)]?.()
}

say({ verb: 'open' })
await Promise.all(Array.from({ length: CALLERS }, caller))
