// Random sales as a till's store sees them: priced, re-quoted, paid, reorganised, abandoned, found again, confirmed, assigned. The ledger
// beside them knows what each confirmed payment counts as, from what was done and not from the store.
import { setImmediate } from 'node:timers/promises'
import type { NanoGrin } from '../../src/grin/amount/index.js'
import { nanoGrin } from '../../src/grin/amount/index.js'
import type { FiatQuote, GrinRate, Invoice, Payment, TillStore } from '../../src/till/index.js'
import { anInvoice, aPayment, DAY, NOON } from './till-builders.js'

/** A confirmed payment as it must count. */
export interface LedgerRow {
  readonly at: number
  readonly amount: bigint
  readonly rail: string
  /** Upper case, `GRIN` without a fiat price; null: no sale. */
  readonly currency: string | null
  readonly fiat: string | null
  /** USD per GRIN, of a sale priced in GRIN. */
  readonly rate: string | null
  /** Decimal text in the currency. */
  readonly tip: string | null
}

type Random = (below: number) => number

/** Mulberry32: the same numbers for the same seed. */
function randomOf(seed: number): Random {
  let state = seed | 0
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4_294_967_296) * below)
  }
}

const AT_ONCE = 1_000
const YEARS = 3 * 365

/** Plays so many sales, many at once, and answers the ledger. */
export async function playSales(store: TillStore, seed: number, sales: number): Promise<readonly LedgerRow[]> {
  const ledger: LedgerRow[] = []
  for (let first = 0; first < sales; first += AT_ONCE) {
    const count = Math.min(AT_ONCE, sales - first)
    const played = Array.from({ length: count }, (_, i) => playSale(store, randomOf(seed * 1_000_003 + first + i)))
    ledger.push(...(await Promise.all(played)).flat())
    await setImmediate()
  }
  return ledger
}

async function playSale(store: TillStore, random: Random): Promise<readonly LedgerRow[]> {
  const chance = (percent: number): boolean => random(100) < percent
  const at = NOON - random(YEARS) * DAY - random(DAY)
  const rail = (['slatepack', 'nostr', 'grin1'] as const)[random(3)] ?? 'nostr'
  const amountOf = (): NanoGrin =>
    nanoGrin(chance(1) ? 2n ** 56n + BigInt(random(1e9)) : BigInt(1 + random(4e9)) * BigInt(1 + random(50)))
  const fiatOf = (): FiatQuote => ({
    amount: `${random(2_000)}.${String(1 + random(98)).padStart(2, '0')}${chance(5) ? '00000001'.slice(random(6)).slice(0, 6) : ''}`,
    currency: ['usd', 'EUR', 'Jpy'][random(3)] ?? 'usd',
    rate: `0.0${1 + random(9)}`,
    source: ['coingecko', 'fixed'][random(2)] ?? 'fixed',
    rateAt: at,
  })
  const rateOf = (): GrinRate => ({ currency: 'usd', rate: `0.0${1 + random(9)}7`, source: 'fixed', rateAt: at })
  /** What an invoice costs: in fiat, or in GRIN with or without a known rate; some with a tip. */
  const priceOf = (): Pick<Invoice, 'fiat' | 'grinRate' | 'tip'> => {
    const tip = chance(20) ? `0.${String(1 + random(98)).padStart(2, '0')}` : null
    if (chance(60)) return { fiat: fiatOf(), grinRate: null, tip }
    return { fiat: null, grinRate: chance(50) ? rateOf() : null, tip }
  }
  const asSale = (
    payment: Payment,
    { fiat, grinRate, tip }: Pick<Invoice, 'fiat' | 'grinRate' | 'tip'>,
    confirmedAt: number,
  ): LedgerRow => ({
    ...{ at: confirmedAt, amount: payment.amount, rail: payment.rail },
    ...{ currency: fiat?.currency.toUpperCase() ?? 'GRIN', fiat: fiat?.amount ?? null },
    ...{ rate: grinRate?.rate ?? null, tip },
  })

  const requote = async (invoice: Invoice): Promise<Invoice> => {
    if (invoice.fiat === null) return invoice
    const quote = { amount: amountOf(), fiat: { ...invoice.fiat, rate: '0.077', source: 'coinpaprika' } }
    const fresh = { ...invoice, ...quote, requotes: invoice.requotes + 1 }
    const answer = await store.requote(invoice.id, invoice.requotes, {
      ...quote,
      expiresAt: null,
      payLink: '',
      qrSvg: '',
    })
    if (answer !== 'requoted') throw new Error('not re-quoted')
    return fresh
  }
  const sight = (payment: Payment, settlement: 'replied' | 'seen' | 'mined', confirmations: number): Promise<void> =>
    store.recordSighting(
      {
        paymentId: payment.id,
        settlement,
        minedHeight: settlement === 'mined' ? 9 : null,
        confirmations,
        nextCheckAt: null,
      },
      at,
    )
  /** In a block, out of it again, and so on; ends in a block. */
  const mine = async (payment: Payment): Promise<void> => {
    await sight(payment, 'mined', 1 + random(5))
    while (chance(25)) {
      await sight(payment, chance(50) ? 'replied' : 'seen', 0)
      await sight(payment, 'mined', 1 + random(5))
    }
  }
  const confirm = async (payment: Payment): Promise<number> => {
    const confirmedAt = at + random(DAY)
    const deep = { paymentId: payment.id, settlement: 'confirmed', minedHeight: 9, confirmations: 10 } as const
    const spent = chance(5) ? ({ output: 'spent-or-missing' } as const) : {}
    if ((await store.confirmPayment({ ...deep, ...spent, nextCheckAt: null }, null, confirmedAt)) === false)
      throw new Error('not confirmed')
    return confirmedAt
  }
  /** Half of what settled no invoice is assigned, some of it days later. */
  const perhapsAssign = async (payment: Payment, confirmedAt: number): Promise<LedgerRow> => {
    const apart = {
      at: confirmedAt,
      amount: payment.amount,
      rail: payment.rail,
      currency: null,
      fiat: null,
      rate: null,
      tip: null,
    }
    if (payment.userId !== null || chance(50)) return apart
    const invoice = anInvoice({ amount: payment.amount, ...priceOf(), createdAt: at })
    await store.insertInvoice(invoice, at)
    const answer = await store.assignPayment(payment.id, invoice.id, 'confirmed', [], confirmedAt + 3 * DAY)
    if (answer !== 'assigned') throw new Error(answer)
    return asSale(payment, invoice, confirmedAt)
  }

  if (chance(15)) {
    const userId = chance(30) ? 'tenant' : null
    const payment = aPayment({ amount: amountOf(), rail, userId, createdAt: at })
    await store.acceptPayment(payment, null, at, at)
    await mine(payment)
    return chance(80) ? [await perhapsAssign(payment, await confirm(payment))] : []
  }

  let invoice = anInvoice({ amount: amountOf(), ...priceOf(), createdAt: at })
  await store.insertInvoice(invoice, at)
  while (chance(20)) invoice = await requote(invoice)
  const pay = async (): Promise<Payment> => {
    const payment = aPayment({ invoiceId: invoice.id, amount: invoice.amount, rail, createdAt: at })
    const { outcome } = await store.acceptPayment(payment, null, at, at - 1)
    if (outcome !== 'accepted') throw new Error(outcome)
    return payment
  }

  const rows: LedgerRow[] = []
  if (chance(10)) {
    // Taken back; the invoice is priced anew and paid by another payment, and the kernel of the first appears after all.
    const first = await pay()
    await store.abandonPayment(first.id, null, true)
    invoice = await requote(invoice)
    if (chance(30)) {
      await mine(first)
      const confirmedAt = await confirm(first)
      return [
        invoice.amount === first.amount ? asSale(first, invoice, confirmedAt) : await perhapsAssign(first, confirmedAt),
      ]
    }
    const second = await pay()
    await mine(second)
    rows.push(asSale(second, invoice, await confirm(second)))
    if (chance(50)) rows.push(await perhapsAssign(first, await confirm(first)))
    return rows
  }
  const payment = await pay()
  const end = random(100)
  if (end < 10) {
    await store.abandonPayment(payment.id, null)
    if (chance(50)) return []
    await mine(payment) // a late kernel
  }
  await mine(payment)
  if (end >= 90) {
    if (chance(50)) await sight(payment, 'replied', 0) // reorganised, and never back
    return []
  }
  return [asSale(payment, invoice, await confirm(payment))]
}
