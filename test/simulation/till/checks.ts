// What must hold when a world is at rest (the numbers are those of the list in this folder's README).
import type { Failure } from '../world.js'
import type { Customers, Offer } from './customers.js'
import type { GrinNetwork } from './grin.js'
import type { TillProcess } from './process.js'

export const CONFIRMATIONS = 5

/** An event as the shop got it. */
export interface Heard {
  readonly eventId: string
  readonly type: string
  readonly invoiceId: string | null
  readonly body: string
  readonly at: number
  /** The payment's kernel was so deep when the event came. */
  readonly depth: number | null | undefined
}

export interface RestedWorld {
  readonly till: TillProcess
  readonly grin: GrinNetwork
  readonly customers: Customers
  readonly heard: readonly Heard[]
  readonly offers: readonly Offer[]
}

export async function checkAtRest({ till, grin, customers, heard, offers }: RestedWorld): Promise<readonly Failure[]> {
  const findings: Failure[] = []
  const wrong = (invariant: number, what: string) => void findings.push({ invariant, what })
  const { till: api } = till.running() ?? {}
  if (!api) return [{ invariant: 3, what: 'the till is down at rest' }]
  const payments = await every((after) =>
    api.listPayments({ limit: 200, ...(after === undefined ? {} : { cursor: after }) }),
  )
  const byExcess = new Map(payments.map((payment) => [Buffer.from(payment.excess).toString('hex'), payment]))

  // 1. What the chain pays to the till is in one payment.
  for (const paid of customers.paid) {
    const kernel = grin.chain.ledger.kernel(paid.excess)
    if (!kernel) continue
    const payment = byExcess.get(paid.excess)
    const name = `payment ${paid.slateId.slice(0, 8)}`
    if (!payment) wrong(1, `${name} is on the chain and not in the till`)
    else if (payment.amount !== paid.amount)
      wrong(1, `${name} is ${payment.amount} in the till, ${paid.amount} on the chain`)
    else if (payment.settlement !== 'confirmed' && grin.height() - kernel.height > CONFIRMATIONS + 30)
      wrong(6, `${name} is ${payment.settlement}, ${grin.height() - kernel.height + 1} deep`)
  }

  // 2. A key once; one reply to one slate.
  const keys = payments.map(({ keyIndex }) => keyIndex)
  if (new Set(keys).size !== keys.length) wrong(2, 'a key index is used twice')
  for (const [slateId, texts] of customers.replies)
    if (texts.size > 1) wrong(2, `slate ${slateId.slice(0, 8)} got ${texts.size} different replies`)

  // 3. What was acknowledged is there.
  for (const { id } of offers)
    if ((await api.findInvoice(id).catch(() => undefined)) === undefined) wrong(3, `invoice ${id.slice(0, 8)} is gone`)
  const ids = new Set(payments.map(({ id }) => id))
  for (const slateId of customers.replies.keys())
    if (!ids.has(slateId)) wrong(3, `payment ${slateId.slice(0, 8)} was answered and is gone`)

  // 4. Confirmed only when deep enough.
  for (const { type, depth, invoiceId } of heard)
    if (type === 'payment.confirmed' && (typeof depth !== 'number' || depth < CONFIRMATIONS))
      wrong(4, `invoice ${invoiceId?.slice(0, 8)} was told confirmed at depth ${depth ?? 'none'}`)

  // 5. Each event with equal bytes, and every confirmed payment was told.
  const bodies = new Map<string, string>()
  for (const { eventId, body } of heard) {
    if ((bodies.get(eventId) ?? body) !== body) wrong(5, `event ${eventId} came with two bodies`)
    bodies.set(eventId, body)
  }
  const told = new Set(heard.filter(({ type }) => type === 'payment.confirmed').map(({ invoiceId }) => invoiceId))
  for (const { invoiceId, settlement, id } of payments)
    if (settlement === 'confirmed' && invoiceId !== null && !told.has(invoiceId))
      wrong(5, `payment ${id.slice(0, 8)} is confirmed and its shop never heard`)

  // 6. Nothing is owed.
  const status = await api.status()
  if (status.messages.pending > 0) wrong(6, `${status.messages.pending} replies wait`)
  for (const { receiver, pending } of status.webhooks.receivers as readonly { receiver: number; pending: number }[])
    if (pending > 0) wrong(6, `${pending} webhooks wait for receiver ${receiver}`)
  // Nodes agree at rest: what an alarm says of them is over.
  for (const alarm of status.alarms)
    if (/nodes must agree|alone against/.test(alarm)) wrong(6, `an alarm stays: ${alarm.slice(0, 200)}`)
  // An alarm while nodes lie or the chain reorganises is what the operator is to see.
  for (const error of till.errors)
    if (!/^look at this payment|pass failed|could not|no answer|unreachable|nothing ends by time/i.test(error))
      wrong(10, error.slice(0, 300))
  return findings
}

/** Every page of a list. */
async function every<T>(
  page: (
    after: string | undefined,
  ) => Promise<{ readonly items: readonly T[]; readonly next?: string | null | undefined }>,
): Promise<readonly T[]> {
  const all: T[] = []
  let after: string | undefined
  do {
    const { items, next } = await page(after)
    all.push(...items)
    after = next ?? undefined
  } while (after !== undefined)
  return all
}
