// A shop and its customers around a till that may die at any moment: everything the till acknowledges is written down.
import type { HeldPayment, SandboxPayer, SignedPayment } from '../../src/sandbox/index.js'

interface KnownInvoice {
  readonly id: string
  readonly payUrl: string
}

/** What the till said "yes" to. */
export interface Ledger {
  readonly invoices: Map<string, KnownInvoice>
  /** Idempotency key to invoice id. */
  readonly keys: Map<string, string>
  /** Invoice id to the S1 pasted on its page. */
  readonly held: Map<string, HeldPayment>
  /** Slate id to the reply that was handed out. */
  readonly replies: Map<string, string>
  /** Slate id to the pushed transaction. */
  readonly pushed: Set<string>
  readonly contradictions: string[]
}

export const emptyLedger = (): Ledger => ({
  invoices: new Map(),
  keys: new Map(),
  held: new Map(),
  replies: new Map(),
  pushed: new Set(),
  contradictions: [],
})

export interface LoadParts {
  readonly url: string
  readonly apiToken: string
  readonly payer: SandboxPayer
  readonly ledger: Ledger
  readonly stop: AbortSignal
  /** Whose orders these are; a second shop at the same till needs a name of its own. */
  readonly shop?: string
}

const AMOUNT = 1_250_000_000n
/** Creators that keep going; customers at once. */
const SHOPS = 4
const CUSTOMERS = 2

/** Runs until `stop`; failures are what a dying till looks like from outside and are passed over. */
export async function keepBusy(parts: LoadParts): Promise<void> {
  const shops = Array.from({ length: SHOPS }, (_, number) => repeat(parts.stop, () => createOnce(parts, number)))
  const customers = Array.from({ length: CUSTOMERS }, (_, number) => repeat(parts.stop, () => payOnce(parts, number)))
  await Promise.all([...shops, ...customers])
}

async function repeat(stop: AbortSignal, work: () => Promise<void>): Promise<void> {
  while (!stop.aborted) {
    await work().catch(() => new Promise((resolve) => setTimeout(resolve, 20)))
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** Half of the creates repeat a key that may or may not have been stored before the last crash. */
async function createOnce({ url, apiToken, ledger, stop, shop = 'shop' }: LoadParts, number: number): Promise<void> {
  const key = `${shop}-${number}-${Math.floor(ledger.keys.size / 2)}`
  const answer = await fetch(`${url}/invoice`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiToken}`, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ amount_grin: Number(AMOUNT), order_ref: key }),
    signal: AbortSignal.any([stop, AbortSignal.timeout(10_000)]),
  })
  if (answer.status !== 200) return
  const { invoice_id: id, token } = (await answer.json()) as { invoice_id: string; token: string }
  const before = ledger.keys.get(key)
  if (before !== undefined && before !== id) ledger.contradictions.push(`key ${key} made ${before} and ${id}`)
  ledger.keys.set(key, id)
  ledger.invoices.set(id, { id, payUrl: `${url}/pay/${token}` })
}

/** A customer whose browser lost the answer pastes the same slatepack again; it must get the same reply. */
async function payOnce({ payer, ledger }: LoadParts, customer: number): Promise<void> {
  const mine = [...ledger.invoices.values()].filter((_, index) => index % CUSTOMERS === customer)
  const invoice = mine.find(({ id }) => !ledger.replies.has(ledger.held.get(id)?.slateId ?? ''))
  if (!invoice) return
  const held = ledger.held.get(invoice.id) ?? payer.begin(AMOUNT)
  ledger.held.set(invoice.id, held)
  const reply = await payer.paste(invoice.payUrl, held)
  const before = ledger.replies.get(held.slateId)
  if (before !== undefined && before !== reply) ledger.contradictions.push(`two replies for slate ${held.slateId}`)
  ledger.replies.set(held.slateId, reply)
  const finished: SignedPayment = await payer.finish(held, reply)
  await payer.push(finished)
  ledger.pushed.add(held.slateId)
}
