// Signatures of events (BIP-340): by the library in C, by our own code, and through the verifier's thread; and whether the two give the
// same verdict on many altered ones.
import { openNativeSum } from '../src/curve/native.js'
import { Secret } from '../src/lib/secret.js'
import { type NostrEvent, signWith } from '../src/nostr/event/index.js'
import { verifyWith } from '../src/nostr/keys/key-pair.js'
import { openVerifier } from '../src/workers/index.js'
import { type Measurement, median, processorMs } from './measurement.js'

const ROUND = 1000
const WINDOW = 500
const ALTERED = 100_000

const events = Array.from({ length: 256 }, (_, i) => {
  const secret = new Secret(new Uint8Array(32).fill(1 + (i % 200)))
  return signWith(new Uint8Array(32), { created_at: i, kind: 1, tags: [], content: '' }, secret)
})
const eventAt = (i: number): NostrEvent => events[i % events.length] as NostrEvent
const signed = events.map(({ id, pubkey, sig }) => Buffer.from(`${id}${pubkey}${sig}`, 'hex'))
const verdict = (sum: ReturnType<typeof openNativeSum>, whole: Uint8Array): boolean =>
  verifyWith(sum, whole.subarray(64), whole.subarray(0, 32), whole.subarray(32, 64))

/** Microseconds of processor time for one signature. */
async function microseconds(sum: ReturnType<typeof openNativeSum>): Promise<number> {
  const round = () => {
    for (let i = 0; i < ROUND; i++) verdict(sum, signed[i % signed.length] as Buffer)
  }
  return (1000 * (await processorMs(round, 7))) / ROUND
}

/** Signatures per second when so many are under way at a time. */
async function perSecond(window: number, count: number): Promise<number> {
  const verifier = openVerifier({ threads: 1 })
  const through = (total: number): Promise<void> =>
    new Promise((resolve) => {
      let [sent, answered] = [0, 0]
      const submit = (): void => verifier.submit(eventAt(sent++), onAnswer)
      const onAnswer = (): void => {
        if (++answered === total) resolve()
        else if (sent < total) submit()
      }
      for (let i = 0; i < window; i++) submit()
    })
  for (let i = 0; i < 10; i++) await through(ROUND) // the thread is there after this
  const rates: number[] = []
  for (let i = 0; i < 5; i++) {
    const start = performance.now()
    await through(count)
    rates.push((1000 * count) / (performance.now() - start))
  }
  await verifier.close()
  return median(rates)
}

/** A small generator (mulberry32): the same altered signatures in every run. */
function createNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return (t ^ (t >>> 14)) >>> 0
  }
}

/** How many of many signatures (genuine, one byte altered, any bytes) get another verdict in C than from our own code. */
function differing(sum: ReturnType<typeof openNativeSum>): number {
  const number = createNumbers(340)
  let count = 0
  for (let i = 0; i < ALTERED; i++) {
    const whole = Uint8Array.from(signed[number() % signed.length] as Buffer)
    const way = number() % 10
    if (way < 6) whole[number() % 128] = number() & 255
    else if (way < 9) for (let at = 32 * (number() % 4), end = at + 32; at < end; at++) whole[at] = number() & 255
    if (verdict(sum, whole) !== verdict(undefined, whole)) count++
  }
  return count
}

export async function measureSignatures(): Promise<readonly Measurement[]> {
  const sum = openNativeSum()
  const own = await microseconds(undefined)
  const rows: Measurement[] = [
    {
      what: 'checking one signature, our own code',
      value: own,
      unit: 'µs processor',
      target: { of: 'value', atMost: 200 },
    },
  ]
  if (sum) {
    const native = await microseconds(sum)
    const ratio = { to: 'our own code', value: native / own }
    const target = { of: 'value', atMost: 70 } as const
    rows.push({ what: 'checking one signature, in C', value: native, unit: 'µs processor', ratio, target })
    const different = { what: `different verdicts on ${ALTERED} signatures`, value: differing(sum), unit: '' }
    rows.push({ ...different, target: { of: 'value', atMost: 0 } })
  }
  rows.push(
    { what: 'signatures through the verifier, one at a time', value: await perSecond(1, 5000), unit: 'per s' },
    {
      what: `signatures through the verifier, ${WINDOW} at a time`,
      value: await perSecond(WINDOW, 20_000),
      unit: 'per s',
    },
  )
  return rows
}
