// Ours and a rival in turns, with the same events stored. The ratio is formed within each round; the median of the rounds counts, the lowest and
// highest are named.
import { type Measurement, median } from '../measurement.js'
import { freshEvents, packedEvents } from './data/fresh.js'
import { type Queries, queriesOf, SHAPES, type ShapeName } from './data/queries.js'
import type { SetName } from './data/sets.js'
import { copyOf, loaded, needSets, STORED_SET, type Whose, WORLD } from './databases.js'
import { toInboxes, toThousand } from './fan-out.js'
import { onlyReplaced } from './publish.js'
import type { RunningRelay } from './relays/launch.js'
import { startOurs } from './relays/ours.js'
import { checkAnswers } from './workloads/answers.js'
import { mix } from './workloads/mix.js'
import { publish } from './workloads/publish.js'
import { query } from './workloads/query.js'

const ROUNDS = Number(process.env.GRINPAY_BENCH_ROUNDS ?? 5)

interface Figure {
  readonly rate: number
  /** Processor microseconds of one operation. */
  readonly cpuUs: number
}

/** The relay that ours is measured beside. */
export interface Rival {
  readonly name: string
  readonly whose: Exclude<Whose, 'ours'>
  start(folder: string): Promise<RunningRelay>
  /** How often a round may be measured; more than once only where asking again changes nothing. */
  readonly tries: number
  /** Queries of a shape in one round: few of what takes long. */
  asked(shape: ShapeName): number
  /** Events of one publishing round. */
  readonly published: number
  /** How many times its rate is asked for. */
  readonly bars: {
    query(shape: ShapeName): number | undefined
    readonly publish: number
    readonly oneByOne: number
    readonly inbox: number
    readonly broadcast: number
    readonly mix: number
  }
}

interface Match {
  readonly what: string
  readonly unit: string
  readonly atLeast: number | undefined
  readonly repeatable: boolean
  readonly measure: (relay: RunningRelay, round: number) => Promise<Figure>
}

interface Pair {
  readonly ours: RunningRelay
  readonly other: RunningRelay
  readonly rival: Rival
}

/** Queries of every shape before the first is measured: a relay runs for weeks. */
const WARM_UP = 500
const OURS_ASKED = 1000

export async function compare(rival: Rival): Promise<readonly Measurement[]> {
  needSets(STORED_SET, 'note', 'wrap', 'mixed', 'repl')
  const queries = await queriesOf(STORED_SET)
  return [...(await reading(rival, queries)), ...(await writing(rival, queries))]
}

/** Nothing is written, so both serve what is kept beside the sets. */
async function reading(rival: Rival, queries: Queries): Promise<readonly Measurement[]> {
  const pair = { rival, ours: await startOurs(loaded('ours')), other: await rival.start(loaded(rival.whose)) }
  const shapes = SHAPES.filter((shape) => shape !== 'count')
  for (const shape of shapes) {
    await checkAnswers(pair.ours, shape, queries[shape])
    await query({ relay: pair.ours, shape, queries: queries[shape].slice(0, WARM_UP), connections: 4 })
  }
  return matched(
    pair,
    shapes.map((shape) => queryMatch(rival, shape, queries)),
  )
}

async function writing(rival: Rival, queries: Queries): Promise<readonly Measurement[]> {
  const copies = { ours: copyOf('ours'), other: copyOf(rival.whose) }
  const noteAuthors = WORLD.authors.map(({ pubkey }) => pubkey)
  const pair = {
    rival,
    ours: await startOurs(copies.ours.folder, { noteAuthors }),
    other: await rival.start(copies.other.folder),
  }
  try {
    return await matched(pair, [
      publishMatch(rival, 'mixed', 'mixed events'),
      publishMatch(rival, 'wrap', 'gift wraps'),
      publishMatch(rival, 'repl', 'replaceable events'),
      oneByOneMatch(rival),
      inboxMatch(rival),
      broadcastMatch(rival),
      mixMatch(rival, queries),
    ])
  } finally {
    copies.ours.drop()
    copies.other.drop()
  }
}

const isOurs = ({ name }: RunningRelay): boolean => name === 'grinpay'

const queryMatch = (rival: Rival, shape: ShapeName, queries: Queries): Match => ({
  what: `query "${shape}"`,
  unit: 'REQ/s',
  atLeast: rival.bars.query(shape),
  repeatable: true,
  async measure(relay, round) {
    const count = isOurs(relay) ? OURS_ASKED : rival.asked(shape)
    const asked = queries[shape].slice(round * 100, round * 100 + count)
    const { perSecond, cpuUs } = await query({ relay, shape, queries: asked, connections: 4 })
    return { rate: perSecond, cpuUs }
  },
})

/** With the warm-up six rounds of them, and the set of replaceable events has 50,000. */
const OURS_A_ROUND = 8000

interface PublishMatch extends Pick<Match, 'what' | 'atLeast'> {
  /** Fresh in every round, and of no other match. */
  readonly events: (relay: RunningRelay, round: number) => ReturnType<typeof freshEvents>
  readonly connections: number
  readonly waiting: number
}

const publishing = ({ what, atLeast, events, ...how }: PublishMatch): Match => ({
  what,
  unit: '/s',
  atLeast,
  repeatable: false,
  async measure(relay, round) {
    const published = await publish({ relay, events: await events(relay, round), ...how })
    onlyReplaced(published)
    return { rate: published.perSecond, cpuUs: published.cpuUs }
  },
})

const publishMatch = (rival: Rival, set: SetName, what: string): Match =>
  publishing({
    what: `${what} published over 8 connections`,
    atLeast: rival.bars.publish,
    connections: 8,
    waiting: 64,
    events: (relay, round) => freshEvents(set, round * OURS_A_ROUND, isOurs(relay) ? OURS_A_ROUND : rival.published),
  })

const oneByOneMatch = (rival: Rival): Match =>
  publishing({
    what: 'events published one at a time',
    atLeast: rival.bars.oneByOne,
    connections: 1,
    waiting: 1,
    events: (_, round) => freshEvents('mixed', 100_000 + round * 1000, 1000),
  })

const inboxMatch = (rival: Rival): Match => ({
  what: 'gift wraps to 10,000 subscriptions, one each',
  unit: '/s',
  atLeast: rival.bars.inbox,
  repeatable: false,
  async measure(relay, round) {
    // Wraps that no publishing round took.
    const { perSecond, cpuUs } = await toInboxes(relay, 100_000 + round * 2000)
    return { rate: perSecond, cpuUs }
  },
})

const broadcastMatch = (rival: Rival): Match => ({
  what: 'one event to 1,000 subscriptions, deliveries',
  unit: '/s',
  atLeast: rival.bars.broadcast,
  repeatable: false,
  async measure(relay, round) {
    const { deliveriesPerSecond, cpuUs } = await toThousand(relay, round * 400)
    return { rate: deliveriesPerSecond, cpuUs }
  },
})

const MIX = { rate: 300, seconds: 10, from: 150_000 }

/** All shapes in turns; processor time is that of one query with its share of the writing. */
function mixMatch(rival: Rival, queries: Queries): Match {
  const shapes = SHAPES.filter((shape) => shape !== 'count')
  const filters = Array.from({ length: 1000 }, (_, index) => shapes.map((shape) => queries[shape][index]!.filter))
  return {
    what: 'queries of all shapes while 300 events a second are published',
    unit: 'REQ/s',
    atLeast: rival.bars.mix,
    repeatable: false,
    async measure(relay, round) {
      const count = MIX.rate * MIX.seconds
      const events = await packedEvents('note', MIX.from + round * count, count)
      const { queriesPerSecond, cpuUs } = await mix({ relay, events, rate: MIX.rate, filters: filters.flat() })
      return { rate: queriesPerSecond, cpuUs }
    },
  }
}

async function matched(pair: Pair, matches: readonly Match[]): Promise<readonly Measurement[]> {
  try {
    const measured: Measurement[] = []
    for (const match of matches) {
      const [rate, cpu] = await inTurns(pair, match)
      console.log(
        `  ${match.what}: ${rate.ratio.value.toFixed(2)} (${rate.ratio.lowest.toFixed(2)} to ${rate.ratio.highest.toFixed(2)}) times, processor time ${cpu.ratio.value.toFixed(2)}: ${cpu.value.toFixed(0)} µs`,
      )
      measured.push(rate, cpu)
    }
    return measured
  } finally {
    await pair.ours.stop()
    await pair.other.stop()
  }
}

async function inTurns({ ours, other, rival }: Pair, match: Match) {
  await match.measure(ours, ROUNDS) // compiled code; other events than those of the rounds
  await patiently(match, other, rival, ROUNDS)
  const rounds: { ours: Figure; other: Figure }[] = []
  for (let round = 0; round < ROUNDS; round++)
    rounds.push({ ours: await match.measure(ours, round), other: await patiently(match, other, rival, round) })
  const label = `relay, in turns with ${rival.name}: ${match.what}`
  const bar = match.atLeast === undefined ? {} : { target: { of: 'ratio', atLeast: match.atLeast } as const }
  return [
    {
      what: label,
      value: median(rounds.map((round) => round.ours.rate)),
      unit: match.unit,
      ratio: ratioOf(
        rival,
        rounds.map((round) => round.ours.rate / round.other.rate),
      ),
      ...bar,
    },
    {
      what: `${label}, processor time of one`,
      value: median(rounds.map((round) => round.ours.cpuUs)),
      unit: 'µs',
      ratio: ratioOf(
        rival,
        rounds.map((round) => round.ours.cpuUs / round.other.cpuUs),
      ),
    },
  ] as const satisfies readonly Measurement[]
}

/** A rival may leave a query without its EOSE; then the round is measured again. Ours has no second try. */
async function patiently(match: Match, other: RunningRelay, { tries: most }: Rival, round: number): Promise<Figure> {
  for (let tries = 1; ; tries++) {
    try {
      return await match.measure(other, round)
    } catch (error) {
      if (!match.repeatable || tries >= most) throw error
      console.log(`  ${match.what}: ${other.name} again, because of: ${String(error)}`)
    }
  }
}

const ratioOf = ({ name }: Rival, ratios: readonly number[]) => ({
  to: name,
  value: median(ratios),
  lowest: Math.min(...ratios),
  highest: Math.max(...ratios),
})
