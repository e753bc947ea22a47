// relay-publish: events into a relay that holds a million.
import type { Measurement } from '../measurement.js'
import { freshEvents, packedEvents } from './data/fresh.js'
import type { SetName } from './data/sets.js'
import { copyOf, needSets, WORLD } from './databases.js'
import type { RunningRelay } from './relays/launch.js'
import { startOurs } from './relays/ours.js'
import { type Published, publish, publishAtRate, UNCOUNTED } from './workloads/publish.js'

export const name = 'relay-publish'

interface Stage {
  readonly set: SetName
  readonly what: string
  readonly events: number
  readonly atLeast: number
}

const STAGES: readonly Stage[] = [
  { set: 'mixed', what: 'mixed events', events: 20_000, atLeast: 12_000 },
  { set: 'wrap', what: 'gift wraps', events: 20_000, atLeast: 13_000 },
  { set: 'repl', what: 'replaceable events', events: 20_000, atLeast: 6500 },
]
/** Fresh events must be fresh: each part takes others of the mixed set. */
const WARM_UP = { from: 100_000, count: 4000 }
const ONE_BY_ONE = { from: 110_000, count: 1000 }
const RATES = [
  { rate: 1000, from: 120_000, seconds: 20, p99: 2 },
  { rate: 2000, from: 150_000, seconds: 20, p99: 4 },
] as const
const MANY = { connections: 8, waiting: 64 }
const ONE = { connections: 1, waiting: 1 }

export async function run(): Promise<readonly Measurement[]> {
  needSets('mixed', 'wrap', 'repl')
  const { folder, drop } = copyOf('ours')
  const relay = await startOurs(folder, { noteAuthors: WORLD.authors.map(({ pubkey }) => pubkey) })
  try {
    await publish({ relay, events: await freshEvents('mixed', WARM_UP.from, WARM_UP.count), ...MANY })
    // First what is measured alone: events that came at full speed leave index rows to be written with the next ones.
    const measured = [...(await oneByOne(relay)), ...(await atRates(relay))]
    for (const stage of STAGES) measured.push(...(await flatOut(relay, stage)))
    return measured
  } finally {
    await relay.stop()
    drop()
  }
}

async function flatOut(relay: RunningRelay, { set, what, events, atLeast }: Stage): Promise<readonly Measurement[]> {
  const published = await publish({ relay, events: await freshEvents(set, 0, events), ...MANY })
  onlyReplaced(published)
  const label = `relay: ${what} published over 8 connections`
  return [
    { what: label, value: published.perSecond, unit: '/s', target: { of: 'value', atLeast } },
    { what: `${label}, processor time of one`, value: published.cpuUs, unit: 'µs' },
    { what: `${label}, OK of 99 of 100 within`, value: published.taken.p99, unit: 'ms' },
  ]
}

async function oneByOne(relay: RunningRelay): Promise<readonly Measurement[]> {
  const { perSecond, taken, ...rest } = await publish({
    relay,
    events: await freshEvents('mixed', ONE_BY_ONE.from, ONE_BY_ONE.count),
    ...ONE,
  })
  onlyReplaced(rest)
  return [
    { what: 'relay: events one at a time', value: perSecond, unit: '/s', target: { of: 'value', atLeast: 4500 } },
    { what: 'relay: events one at a time, half of the OKs within', value: taken.p50, unit: 'ms' },
    { what: 'relay: events one at a time, 99 of 100 within', value: taken.p99, unit: 'ms' },
  ]
}

async function atRates(relay: RunningRelay): Promise<readonly Measurement[]> {
  const measured: Measurement[] = []
  for (const { rate, from, seconds, p99 } of RATES) {
    const events = await packedEvents('mixed', from, rate * (UNCOUNTED + seconds))
    const published = await publishAtRate({ relay, events, connections: MANY.connections }, rate)
    onlyReplaced(published)
    const label = `relay: ${rate} events a second, due at even distances`
    measured.push(
      {
        what: `${label}, 99 of 100 OKs within`,
        value: published.taken.p99,
        unit: 'ms',
        target: { of: 'value', atMost: p99 },
      },
      { what: `${label}, 999 of 1000`, value: published.taken.p999, unit: 'ms' },
    )
  }
  return measured
}

/** Throws when anything was refused but what a newer one had replaced already. */
export function onlyReplaced({ refusals }: Pick<Published, 'refusals'>): void {
  const others = Object.entries(refusals).filter(([reason]) => !/newer|replaced/.test(reason))
  if (others.length > 0) throw new Error(`refused: ${JSON.stringify(others)}`)
}
