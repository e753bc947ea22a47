// relay-compare: ours and nostr-rs-relay in turns, with the same events stored and the same durability (OK after a commit that is not
// synced). The ratio is formed within each round; the median of the rounds counts, the lowest and highest are named.
import { type Measurement, median } from '../measurement.js'
import { freshEvents } from './data/fresh.js'
import { type Queries, queriesOf, SHAPES, type ShapeName } from './data/queries.js'
import type { SetName } from './data/sets.js'
import { copyOf, loaded, needSets, STORED_SET, WORLD } from './databases.js'
import { toInboxes, toThousand } from './fan-out.js'
import { onlyReplaced } from './publish.js'
import type { RunningRelay } from './relays/launch.js'
import { hasOther, startOther } from './relays/other.js'
import { startOurs } from './relays/ours.js'
import { checkAnswers } from './workloads/answers.js'
import { publish } from './workloads/publish.js'
import { query } from './workloads/query.js'

export const name = 'relay-compare'

const ROUNDS = Number(process.env.GRINPAY_BENCH_ROUNDS ?? 5)

interface Figure {
  readonly rate: number
  /** Processor microseconds of one operation. */
  readonly cpuUs: number
}

interface Match {
  readonly what: string
  readonly unit: string
  /** How many times the other's rate is asked for. */
  readonly atLeast?: number
  /** How often the other one may be measured; more than once only where asking again changes nothing. */
  readonly tries: number
  readonly measure: (relay: RunningRelay, round: number) => Promise<Figure>
}

interface Pair {
  readonly ours: RunningRelay
  readonly other: RunningRelay
}

export async function run(): Promise<readonly Measurement[]> {
  if (!hasOther()) {
    console.log('  left out: nostr-rs-relay is not installed (test/interop/install-rails.sh)')
    return []
  }
  needSets(STORED_SET, 'note', 'wrap', 'mixed', 'repl')
  return [...(await reading()), ...(await writing())]
}

/** Nothing is written, so both serve what is kept beside the sets. */
async function reading(): Promise<readonly Measurement[]> {
  const queries = await queriesOf(STORED_SET)
  const pair = { ours: await startOurs(loaded('ours')), other: await startOther(loaded('other')) }
  return matched(
    pair,
    SHAPES.filter((shape) => shape !== 'count').map((shape) => queryMatch(shape, queries)),
  )
}

async function writing(): Promise<readonly Measurement[]> {
  const copies = { ours: copyOf('ours'), other: copyOf('other') }
  const noteAuthors = WORLD.authors.map(({ pubkey }) => pubkey)
  const pair = {
    ours: await startOurs(copies.ours.folder, { noteAuthors }),
    other: await startOther(copies.other.folder),
  }
  try {
    return await matched(pair, [
      publishMatch('mixed', 'mixed events'),
      publishMatch('wrap', 'gift wraps'),
      publishMatch('repl', 'replaceable events'),
      inboxMatch,
      broadcastMatch,
    ])
  } finally {
    copies.ours.drop()
    copies.other.drop()
  }
}

/** How many of a shape in one round: few of what takes the other relay long. */
const ASKED: Readonly<Record<RunningRelay['name'], (shape: ShapeName) => number>> = {
  grinpay: () => 1000,
  'nostr-rs-relay': (shape) => (shape === 'feed' ? 4 : shape === 'miss' ? 1000 : 60),
}

function queryMatch(shape: ShapeName, queries: Queries): Match {
  return {
    what: `query "${shape}"`,
    unit: 'REQ/s',
    ...(shape === 'miss' ? {} : { atLeast: 15 }),
    tries: 3,
    async measure(relay, round) {
      // The other one answers some shapes oldest first; only ours is held against what is right.
      if (relay.name === 'grinpay' && round === 0) await checkAnswers(relay, shape, queries[shape])
      const count = ASKED[relay.name]?.(shape) ?? 0
      const asked = queries[shape].slice(round * 100, round * 100 + count)
      const { perSecond, cpuUs } = await query({ relay, shape, queries: asked, connections: 4 })
      return { rate: perSecond, cpuUs }
    },
  }
}

/** With the warm-up six rounds of them, and the set of replaceable events has 50,000. */
const OURS_A_ROUND = 8000

const publishMatch = (set: SetName, what: string): Match => ({
  what: `${what} published over 8 connections`,
  unit: '/s',
  atLeast: 5,
  tries: 1,
  async measure(relay, round) {
    const count = relay.name === 'grinpay' ? OURS_A_ROUND : 2000
    const events = await freshEvents(set, round * OURS_A_ROUND, count)
    const published = await publish({ relay, events, connections: 8, waiting: 64 })
    onlyReplaced(published)
    return { rate: published.perSecond, cpuUs: published.cpuUs }
  },
})

const inboxMatch: Match = {
  what: 'gift wraps to 10,000 subscriptions, one each',
  unit: '/s',
  atLeast: 15,
  tries: 1,
  async measure(relay, round) {
    // Wraps that no publishing round took.
    const { perSecond, cpuUs } = await toInboxes(relay, 100_000 + round * 2000)
    return { rate: perSecond, cpuUs }
  },
}

const broadcastMatch: Match = {
  what: 'one event to 1,000 subscriptions, deliveries',
  unit: '/s',
  atLeast: 1.5,
  tries: 1,
  async measure(relay, round) {
    const { deliveriesPerSecond, cpuUs } = await toThousand(relay, round * 400)
    return { rate: deliveriesPerSecond, cpuUs }
  },
}

async function matched(pair: Pair, matches: readonly Match[]): Promise<readonly Measurement[]> {
  try {
    const measured: Measurement[] = []
    for (const match of matches) {
      const [rate, cpu] = await inTurns(pair, match)
      console.log(`  ${match.what}: ${rate.ratio.lowest.toFixed(1)} to ${rate.ratio.highest.toFixed(1)} times`)
      measured.push(rate, cpu)
    }
    return measured
  } finally {
    await pair.ours.stop()
    await pair.other.stop()
  }
}

async function inTurns({ ours, other }: Pair, match: Match) {
  await match.measure(ours, ROUNDS) // compiled code; other events than those of the rounds
  const rounds: { ours: Figure; other: Figure }[] = []
  for (let round = 0; round < ROUNDS; round++)
    rounds.push({ ours: await match.measure(ours, round), other: await patiently(match, other, round) })
  const label = `relay, in turns with nostr-rs-relay: ${match.what}`
  const bar = match.atLeast === undefined ? {} : { target: { of: 'ratio', atLeast: match.atLeast } as const }
  return [
    {
      what: label,
      value: median(rounds.map((round) => round.ours.rate)),
      unit: match.unit,
      ratio: ratioOf(rounds.map((round) => round.ours.rate / round.other.rate)),
      ...bar,
    },
    {
      what: `${label}, processor time of one`,
      value: median(rounds.map((round) => round.ours.cpuUs)),
      unit: 'µs',
      ratio: ratioOf(rounds.map((round) => round.ours.cpuUs / round.other.cpuUs)),
    },
  ] as const satisfies readonly Measurement[]
}

/** Now and then nostr-rs-relay leaves a question without its EOSE, for ever; then the round is measured again. Ours has no second try. */
async function patiently(match: Match, other: RunningRelay, round: number): Promise<Figure> {
  for (let tries = 1; ; tries++) {
    try {
      return await match.measure(other, round)
    } catch (error) {
      if (tries === match.tries) throw error
      console.log(`  ${match.what}: ${other.name} again, because of: ${String(error)}`)
    }
  }
}

const ratioOf = (ratios: readonly number[]) => ({
  to: 'nostr-rs-relay',
  value: median(ratios),
  lowest: Math.min(...ratios),
  highest: Math.max(...ratios),
})
