// Customers pay a real till over a real relay: their wallet is not ours (payer/README.md). Serial: the chain goes on from test to test.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fromHex } from '../../src/lib/bytes.js'
import { Secret } from '../../src/lib/secret.js'
import { openWrap, type Rumor } from '../../src/nostr/gift-wrap/index.js'
import { publicKeyOf } from '../../src/nostr/keys/index.js'
import { missingRelay, type RealRelay, startRealRelay } from '../support/nostr-relay.js'
import { missingPayer, type PayerRun, runPayer } from '../support/payer-program.js'
import { aPool } from '../support/relay-pool.js'
import { missingOracles, startUsernet, type Usernet } from '../support/usernet.js'
import { type InvoiceAnswer, type RealTill, startRealTill } from './real-till.js'

const missing = missingOracles() ?? missingRelay() ?? missingPayer()
const CONFIRMATIONS = 3
const ANSWER_WITHIN_SECONDS = 5
/** From the relay's OK for S1: an answer takes some 400 ms. */
const KILLED_AFTER_MS = [0, 80, 160, 240, 320, 400, 600]

interface Sent {
  readonly slate_id: string
  readonly version: number
}
interface Answered extends Sent {
  readonly seconds: number
  readonly slatepack: string
  readonly layout: string
}

describe.skipIf(missing)(`a till and customers over Nostr${missing ? ` (skipped: ${missing})` : ''}`, () => {
  let net: Usernet
  let relay: RealRelay
  let till: RealTill
  let customer: Readonly<Record<string, string>>
  /** Seconds from the relay's OK for S1 to S2 in the customer's hands. */
  const waits: number[] = []

  const pay = (link: string, options: Readonly<Record<string, string | number>> = {}) =>
    runPayer('pay', { ...customer, link, ...options })
  const goOn = (command: string, slateId: string, options: Readonly<Record<string, string | number>> = {}) =>
    runPayer(command, { ...customer, 'slate-id': slateId, ...options })
  const slateOf = (run: PayerRun) => run.line<Sent>('sent').slate_id

  /** Mines until the invoice is confirmed; the shop heard of both steps, and all signatures were right. */
  async function settle({ invoice_id: id }: InvoiceAnswer, paid: PayerRun): Promise<InvoiceAnswer> {
    await till.until(id, ({ status }) => status === 'paid')
    waits.push(...paid.lines.flatMap(({ event, seconds }) => (event === 'answered' ? [Number(seconds)] : [])))
    const received = await till.hooks.waitFor('payment.received', id)
    expect(received.json.payment).toMatchObject({ status: 'received' })
    await net.mine(CONFIRMATIONS)
    const confirmed = await till.until(id, ({ status }) => status === 'confirmed')
    expect((await till.hooks.waitFor('payment.confirmed', id)).json.payment).toMatchObject({ status: 'confirmed' })
    expect(till.hooks.faults).toEqual([])
    expect(confirmed.payment_id).toBe(paid.line<Sent>('paid').slate_id)
    return confirmed
  }

  beforeAll(async () => {
    net = await startUsernet(33_000 + (process.pid % 400) * 20)
    relay = await startRealRelay({ messagesPerSec: 10, challenges: true })
    await net.mine(12)
    await net.newWallet('customer')
    for (let coin = 0; coin < 3; coin++) await give(net, 30)
    await net.mine(1)
    till = await startRealTill(net, {
      PAY_CONFIRMATIONS: String(CONFIRMATIONS),
      PAY_RELAY_MODE: 'external',
      PAY_RELAYS: relay.url,
    })
    customer = { 'wallet-dir': join(net.dir, 'wallets/customer'), password: 'usernet', node: net.nodeUrl }
  })

  afterAll(async () => {
    console.info(`S2 after ${waits.map((wait) => wait.toFixed(2)).join(', ')} s`)
    await till?.clean()
    await relay?.clean()
    await net?.clean()
  })

  test('a pay link of a derived key: answered in seconds, confirmed, and its payment proof verifies', async () => {
    const invoice = await till.createInvoice(1.5, { order_ref: 'order-1', memo: 'two coffees', match_mode: 'derived' })
    const paid = await pay(invoice.pay_link)
    expect(paid.line('offered')).toMatchObject({ amount: 1_500_000_000, proof: expect.stringMatching(/^tgrin1/) })
    expect(paid.line('sent')).toMatchObject({ version: 2, relays: [relay.url] })
    expect(paid.line<Answered>('answered').seconds).toBeLessThan(ANSWER_WITHIN_SECONDS)
    await settle(invoice, paid)
    const proof = join(till.dir, 'order-1.proof')
    await net.wallet('customer', 'export_proof', '-t', slateOf(paid), proof)
    expect(await net.wallet('customer', 'verify_proof', proof)).toContain("Payment proof's signatures are valid.")
    const { receipt } = await till.get<{ receipt: { proof: object } }>(`/payment/${slateOf(paid)}/receipt`)
    const { excess, recipient_sig } = JSON.parse(readFileSync(proof, 'utf8')) as {
      excess: string
      recipient_sig: string
    }
    expect(receipt.proof).toMatchObject({ kernel_excess: excess, recipient_sig })
    expect(paid.line('paid')).toMatchObject({ excess })
  })

  test('memo mode: the note in the link finds the invoice, in the version both sides know', async () => {
    const other = await till.createInvoice(2.25, { order_ref: 'order-2', match_mode: 'memo' })
    const invoice = await till.createInvoice(2.25, { order_ref: 'order-3', match_mode: 'memo' })
    const paid = await pay(invoice.pay_link)
    expect(paid.line<Sent>('sent').version).toBe(3)
    expect(paid.line<Answered>('answered')).toMatchObject({ version: 3 })
    await settle(invoice, paid)
    expect((await till.invoice(other.invoice_id)).status).toBe('open')
  })

  test('amount mode: the amount alone finds the invoice, and who announces nothing is answered in version 2', async () => {
    const invoice = await till.createInvoice(0.777, { match_mode: 'amount' })
    const paid = await pay(invoice.pay_link, { nsec: 'd4'.repeat(32), subject: 'whatever I like', encryption: 'none' })
    expect(paid.line<Answered>('answered')).toMatchObject({ version: 2 })
    await settle(invoice, paid)
  })

  test('a JSON message of another wallet is answered in kind', async () => {
    const invoice = await till.createInvoice(1.05, { match_mode: 'derived' })
    const paid = await pay(invoice.pay_link, { layout: 'smirk' })
    expect(paid.line<Answered>('answered')).toMatchObject({ layout: 'smirk', version: 2 })
    await settle(invoice, paid)
  })

  test('a slatepack that only the till can read is answered', async () => {
    const invoice = await till.createInvoice(1.06, { match_mode: 'derived' })
    const paid = await pay(invoice.pay_link, { encrypt: 'yes' })
    expect(paid.line<Answered>('answered')).toMatchObject({ layout: 'goblin' })
    await settle(invoice, paid)
  })

  test('the same S1 in a new wrap gets the very same S2, even from a relay that forgot everything', async () => {
    const invoice = await till.createInvoice(1.1, { match_mode: 'derived' })
    const first = await pay(invoice.pay_link, { 'stop-at': 'answered' })
    await relay.wipe()
    await till.until(invoice.invoice_id, ({ status }) => status === 'paid')
    const second = await goOn('resend', slateOf(first), { timeout: 120 })
    expect(second.line<Answered>('answered').slatepack).toBe(first.line<Answered>('answered').slatepack)
    await settle(invoice, second)
    expect(till.hooks.events.filter(({ json }) => json.invoice_id === invoice.invoice_id)).toHaveLength(2)
  })

  test('a payment that was sent while the till was away is answered when it is back', async () => {
    const invoice = await till.createInvoice(1.2, { match_mode: 'derived' })
    await till.stop()
    const sent = await pay(invoice.pay_link, { 'stop-at': 'sent' })
    await till.start()
    await settle(invoice, await goOn('finish', slateOf(sent)))
  })

  test('a till that dies at any moment of its answer has answered once when it is back', async () => {
    const invoices: InvoiceAnswer[] = []
    for (const delay of KILLED_AFTER_MS) {
      const invoice = await till.createInvoice(1.21, { match_mode: 'derived' })
      const sent = await pay(invoice.pay_link, { 'stop-at': 'sent' })
      await new Promise((resolve) => setTimeout(resolve, delay))
      await till.kill()
      await till.start()
      await goOn('finish', slateOf(sent))
      await net.mine(1)
      invoices.push(invoice)
    }
    await net.mine(CONFIRMATIONS)
    const answers = await lettersTo(customer['wallet-dir'] ?? '', relay)
    for (const { invoice_id: id, recipient_pubkey: key } of invoices) {
      expect(new Set(answers.filter(({ pubkey }) => pubkey === key).map(({ content }) => content)).size).toBe(1)
      await till.until(id, ({ status }) => status === 'confirmed')
      await till.hooks.waitFor('payment.confirmed', id)
      const kinds = till.hooks.events.filter(({ json }) => json.invoice_id === id).map(({ json }) => json.event_id)
      expect(new Set(kinds).size).toBe(2)
    }
  })

  test('a wrong amount is refused in words to the customer, and the invoice stays open', async () => {
    const invoice = await till.createInvoice(1.25, { match_mode: 'derived' })
    await expect(pay(invoice.pay_link, { amount: '2', timeout: 15 })).rejects.toThrow(/"content":"[^"]*1\.25 GRIN/)
    expect((await till.invoice(invoice.invoice_id)).status).toBe('open')
    await settle(invoice, await pay(invoice.pay_link))
  })

  test('a customer who cancels opens the invoice again, and can pay it after all', async () => {
    const invoice = await till.createInvoice(1.3, { match_mode: 'derived' })
    const first = await pay(invoice.pay_link, { 'stop-at': 'answered' })
    await till.until(invoice.invoice_id, ({ status }) => status === 'paid')
    await goOn('void', slateOf(first))
    await till.until(invoice.invoice_id, ({ status }) => status === 'open')
    await settle(invoice, await pay(invoice.pay_link))
  })
})

/** Every message to the customer that the relay has. */
async function lettersTo(walletDir: string, relay: RealRelay): Promise<readonly Rumor[]> {
  const secret = new Secret(fromHex(readFileSync(join(walletDir, 'grinpay-payer/identity.hex'), 'utf8')))
  const { pool } = aPool({ urls: [relay.url] })
  pool.start()
  const wraps = await pool.query({ kinds: [1059], '#p': [publicKeyOf(secret)] }, [relay.url], 10_000)
  await pool.close()
  return wraps.map((wrap) => {
    const opened = openWrap(wrap, secret)
    if ('refusal' in opened) throw new Error(opened.refusal)
    return opened.rumor
  })
}

/** Sends the customer one coin. */
async function give(net: Usernet, grin: number): Promise<void> {
  const [offer, answer, whole] = ['S1', 'S2', 'S3'].map((state) => join(net.dir, `give.${state}`))
  await net.wallet('miner', 'send', '-c', '1', '-m', '-u', String(offer), String(grin))
  await net.wallet('customer', 'receive', '-m', '-i', String(offer), '-u', String(answer))
  await net.wallet('miner', 'finalize', '-f', '-i', String(answer), '-u', String(whole))
}
