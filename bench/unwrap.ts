// Envelopes of the Nostr rail, in terms of what the curve library takes for one signature check: opening and making a gift wrap
// around a typical S1, and what a relay's event costs before it is opened. Processor time in a warm process.
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { fromHex } from '../src/lib/bytes.js'
import { Secret } from '../src/lib/secret.js'
import { hasTrueId, isGenuine, parseEvent } from '../src/nostr/event/index.js'
import { type EnvelopeVersion, openWrap, wrapMessage } from '../src/nostr/gift-wrap/index.js'
import { publicKeyOf } from '../src/nostr/keys/index.js'
import { systemRandom as random } from '../src/system/index.js'
import { type Measurement, median } from './measurement.js'

export const name = 'unwrap'

/** Characters of an armored S1 with its preamble. */
const TYPICAL = 1100
const ROUNDS = 30
const TIMES = 10

const [sender, receiver] = [new Secret(new Uint8Array(32).fill(1)), new Secret(new Uint8Array(32).fill(2))]
const to = publicKeyOf(receiver)

const wrapped = (version: EnvelopeVersion) =>
  wrapMessage({
    content: 'x'.repeat(TYPICAL),
    tags: [['p', to]],
    sender,
    receiver: to,
    version,
    now: Date.now(),
    random,
  }).wrap

export async function run(): Promise<readonly Measurement[]> {
  const { 2: second, 3: third } = { 2: wrapped(2), 3: wrapped(3) }
  const text = JSON.stringify(third)
  const [signature, digest, key] = [fromHex(third.sig), fromHex(third.id), fromHex(third.pubkey)]
  const point = fromHex(`02${to}`)
  const [yardstick, ...taken] = inTurns([
    () => schnorr.verify(signature, digest, key),
    () => secp256k1.getSharedSecret(sender.reveal(), point),
    () => openWrap(third, receiver),
    () => openWrap(second, receiver),
    () => wrapped(3),
    () => wrapped(2),
    () => isGenuine(third),
    () => hasTrueId(third),
    () => parseEvent(JSON.parse(text)),
  ])
  return [
    { what: 'signature check of the curve library', value: median(yardstick ?? []), unit: 'ms processor' },
    ...ROWS.map(({ what, atMost }, row) => measured(what, taken[row] ?? [], yardstick ?? [], atMost)),
  ]
}

/** In the order of the work above; the bar is in signature checks of the library. */
const ROWS: readonly { readonly what: string; readonly atMost?: number }[] = [
  { what: 'key agreement of the curve library' },
  { what: 'opening a gift wrap, version 3', atMost: 2 },
  { what: 'opening a gift wrap, version 2', atMost: 2 },
  { what: 'making a gift wrap, version 3', atMost: 4 },
  { what: 'making a gift wrap, version 2', atMost: 4 },
  { what: 'id and signature of an event', atMost: 0.4 },
  { what: 'id of an event', atMost: 0.05 },
  { what: 'reading an event, with its JSON', atMost: 0.05 },
]

function measured(
  what: string,
  taken: readonly number[],
  yardstick: readonly number[],
  atMost: number | undefined,
): Measurement {
  const value = median(taken.map((ms, round) => ms / (yardstick[round] ?? Number.NaN)))
  const ratio = { to: 'signature check of the curve library', value }
  return {
    what,
    value: median(taken),
    unit: 'ms processor',
    ratio,
    ...(atMost === undefined ? {} : { target: { of: 'ratio', atMost } }),
  }
}

/** Processor milliseconds per piece of work and round: one after the other within a round, so that a busy moment hits all. */
function inTurns(works: readonly (() => unknown)[]): readonly (readonly number[])[] {
  const rounds = Array.from({ length: ROUNDS + 5 }, () => works.map(msOf))
  return works.map((_, index) => rounds.slice(5).map((round) => round[index] ?? Number.NaN))
}

function msOf(work: () => unknown): number {
  const before = process.cpuUsage()
  for (let time = 0; time < TIMES; time++) work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / TIMES
}
