// How long a payment over the Nostr rail takes, what it costs, and what becomes of many at once. The till is held to one core.
import { cpus } from 'node:os'
import { nanoGrin } from '../src/grin/amount/index.js'
import { proveRange } from '../src/grin/crypto/index.js'
import { openKeychain, outputIdentifier } from '../src/grin/keychain/index.js'
import { type Measurement, median, processorMs } from './measurement.js'
import { createBills, isAnswer, isPaid, preparePayment, type ReadyPayment, wrapToStranger } from './payers.js'
import { mainThreadMsOf, pin, processorMsOf } from './process.js'
import { type BenchRelay, dial, type Heard, type RelayLine } from './relay.js'
import { type BenchTill, startTill } from './till.js'

/** Open invoices with a key of their own that nobody pays. */
const WATCHED = 1000
/** Paid one a second, then all at once. */
const [SINGLE, BURST] = [60, 500]
/** Before anything counts: compiled code, tables, connections. */
const WARM_UP = 20
const GAP_MS = 1000
/** The targets: seconds from S1 to S2 for the middle and the slowest hundredth, and for the last of the burst. */
const [P50, P99, LAST] = [0.4, 2, 120]
const GIVE_UP_MS = (LAST + 30) * 1000

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

export async function railPayments(folder: string, relay: BenchRelay): Promise<readonly Measurement[]> {
  const till = await startTill(folder, { settings: { PAY_RELAYS: relay.url } })
  const line = await dial(relay.url)
  if (!pin(till.pid, 0)) console.log('  no taskset: the till is not held to one core')
  if (relay.pid !== undefined) pin(relay.pid, cpus().length - 1)
  try {
    await createBills(till.url, WATCHED)
    const ready = await customers(till, relay, line)
    await together(ready.slice(0, WARM_UP), line)
    const singles = await oneASecond(ready.slice(WARM_UP, WARM_UP + SINGLE), line, till)
    return [...singles, ...(await allAtOnce(ready.slice(WARM_UP + SINGLE), line, till))]
  } finally {
    line.close()
    await till.stop()
  }
}

/** Everybody's S1, and everybody's relay list at the relay, which hears what they are answered. */
async function customers(till: BenchTill, { url }: BenchRelay, line: RelayLine): Promise<readonly ReadyPayment[]> {
  const bills = await createBills(till.url, WARM_UP + SINGLE + BURST)
  const ready = bills.map((bill) => preparePayment(bill, url))
  for (const { relayList } of ready) await line.publish(relayList)
  await line.listen(ready.map(({ pubkey }) => pubkey))
  return ready
}

/** Milliseconds from when the S1 leaves its payer until the S2 has come to it: the relay takes and gives both meanwhile. */
async function pay({ wrap, pubkey }: ReadyPayment, line: RelayLine): Promise<Heard & { readonly ms: number }> {
  const sentAt = performance.now()
  const [heard] = await Promise.all([line.hear(pubkey, GIVE_UP_MS), line.publish(wrap)])
  return { ...heard, ms: heard.at - sentAt }
}

const together = (payments: readonly ReadyPayment[], line: RelayLine) =>
  Promise.allSettled(payments.map((payment) => pay(payment, line)))

async function oneASecond(payments: readonly ReadyPayment[], line: RelayLine, till: BenchTill) {
  const cost = costOf(till)
  const paid: ReturnType<typeof pay>[] = []
  for (const payment of payments) {
    const due = pause(GAP_MS)
    paid.push(pay(payment, line))
    await due
  }
  const seconds = (await Promise.all(paid)).map(({ ms }) => ms / 1000).sort((a, b) => a - b)
  const { whole } = cost(payments.length)
  const [p50, p99] = [median(seconds), seconds[Math.ceil(seconds.length * 0.99) - 1] ?? Number.NaN]
  const echo = (await echoMs(payments.slice(0, 20), line)) / 1000
  const what = `S1 to S2 over Nostr, one a second, ${WATCHED} invoices watched`
  return [
    {
      what: `${what}: p50`,
      value: p50,
      unit: 's',
      ratio: { to: 'the relay alone', value: p50 / echo },
      target: { of: 'value', atMost: P50 },
    },
    { what: `${what}: p99`, value: p99, unit: 's', target: { of: 'value', atMost: P99 } },
    { what: `${what}: till, all threads`, value: whole, unit: 'ms processor each' },
  ] as const
}

/** The same way through the relay with nothing behind it: wraps of that size to strangers who listen. */
async function echoMs(payments: readonly ReadyPayment[], line: RelayLine): Promise<number> {
  const strangers = payments.map(({ wrap }) => wrapToStranger(wrap))
  await line.listen(strangers.map(({ to }) => to))
  const samples: number[] = []
  for (const { to, wrap } of strangers) {
    const sentAt = performance.now()
    const [{ at }] = await Promise.all([line.hear(to, GIVE_UP_MS), line.publish(wrap)])
    samples.push(at - sentAt)
  }
  return median(samples)
}

async function allAtOnce(payments: readonly ReadyPayment[], line: RelayLine, till: BenchTill) {
  const cost = costOf(till)
  const started = performance.now()
  const outcomes = await together(payments, line)
  const { whole, main } = cost(payments.length)
  const last = Math.max(
    ...outcomes.map((one) => (one.status === 'fulfilled' ? one.value.at : Number.POSITIVE_INFINITY)),
  )
  const answered = await countAnswered(payments, outcomes, till)
  const what = `${payments.length} S1 sent at once over Nostr`
  const proof = await proofMs()
  return [
    {
      what: `${what}: answered, and their invoices paid`,
      value: answered,
      unit: '',
      target: { of: 'value', atLeast: payments.length },
    },
    { what: `${what}: the last S2`, value: (last - started) / 1000, unit: 's', target: { of: 'value', atMost: LAST } },
    {
      what: `${what}: till, all threads`,
      value: whole,
      unit: 'ms processor each',
      ratio: { to: 'one range proof', value: whole / proof },
    },
    {
      what: `${what}: of that the main thread`,
      value: main,
      unit: 'ms processor each',
      ratio: { to: 'one range proof', value: main / proof },
    },
  ] as const
}

async function countAnswered(
  payments: readonly ReadyPayment[],
  outcomes: readonly PromiseSettledResult<Heard>[],
  till: BenchTill,
): Promise<number> {
  let answered = 0
  for (const [index, payment] of payments.entries()) {
    const outcome = outcomes[index]
    if (outcome?.status !== 'fulfilled' || !(await isAnswer(payment, outcome.value.event))) continue
    if (await isPaid(till.url, payment.bill)) answered += 1
  }
  return answered
}

/** Processor time per payment since the call, all threads together and the first one alone. */
function costOf({ pid }: BenchTill): (payments: number) => { readonly whole: number; readonly main: number } {
  const [whole, main] = [processorMsOf(pid), mainThreadMsOf(pid)]
  return (payments) => ({
    whole: (processorMsOf(pid) - whole) / payments,
    main: (mainThreadMsOf(pid) - main) / payments,
  })
}

function proofMs(): Promise<number> {
  const keychain = openKeychain(new Uint8Array(32).fill(2))
  return processorMs(() => proveRange(keychain.proofInput(outputIdentifier(0, 1), nanoGrin(1_500_000_000n))), 20, 5)
}
