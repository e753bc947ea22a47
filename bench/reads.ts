// Reading over HTTP: what one core answers, how long the slow answers take at half that, and whether size matters.
import { type LoadResult, offer, type Server } from './load.js'
import { type Measurement, median } from './measurement.js'
import { PRELOADED } from './preload.js'

export interface ReadBar {
  readonly what: string
  /** Answers per second of one core. */
  readonly atLeast: number
  readonly path: (invoice: { readonly invoice_id: string; readonly token: string }) => string
}

export const READS: readonly ReadBar[] = [
  { what: 'GET /invoice/{id}', atLeast: 5000, path: ({ invoice_id }) => `/invoice/${invoice_id}` },
  { what: 'GET /pay/{token}/status', atLeast: 8000, path: ({ token }) => `/pay/${token}/status` },
  { what: 'GET /pay/{token}', atLeast: 2000, path: ({ token }) => `/pay/${token}` },
]

const ROUNDS = 3
/** Long, so that one pause does not make a hundredth of the answers. */
const HALF_SECONDS = 6
const CONNECTIONS = 16
const P99_MS = 20

interface Side {
  readonly server: Server
  readonly paths: readonly string[] | undefined
}

interface ReadParts {
  /** The yardstick. */
  readonly bare: Server
  readonly small: Side
  readonly large?: Side
  readonly headers: Readonly<Record<string, string>>
}

interface Round {
  readonly bare: LoadResult
  readonly small: LoadResult
  readonly large: LoadResult
  /** At half the bar. */
  readonly half: LoadResult
  readonly bareHalf: LoadResult
}

export async function readings(
  bar: ReadBar,
  { bare, small, large, headers }: ReadParts,
): Promise<readonly Measurement[]> {
  const load = { connections: CONNECTIONS, seconds: 2, headers }
  const sides = large ? [small, large] : [small]
  for (const { server, paths = [] } of sides) await offer({ ...load, server, paths })
  const rounds: Round[] = []
  for (let turn = 0; turn < ROUNDS; turn++) {
    const yardstick = await offer({ ...load, server: bare })
    const measured = await inTurns(turn, small, large ?? small, (side) => offer({ ...load, ...pathsIn(side) }))
    const rate = bar.atLeast / 2
    const bareHalf = await offer({ ...load, server: bare, rate })
    const half = await offer({ ...load, ...pathsIn(small), seconds: HALF_SECONDS, rate })
    rounds.push({ bare: yardstick, ...measured, half, bareHalf })
  }
  return measurementsOf(bar, rounds, large !== undefined)
}

const pathsIn = ({ server, paths = [] }: Side) => ({ server, paths })

async function inTurns(turn: number, small: Side, large: Side, work: (side: Side) => Promise<LoadResult>) {
  if (turn % 2 === 0) return { small: await work(small), large: await work(large) }
  const second = await work(large)
  return { small: await work(small), large: second }
}

function measurementsOf({ what, atLeast }: ReadBar, rounds: readonly Round[], grown: boolean): readonly Measurement[] {
  const middle = (of: (round: Round) => number) => median(rounds.map(of))
  const size: Measurement = {
    what: `${what}, beside ${PRELOADED}`,
    value: middle(({ large }) => large.perCore),
    unit: '/s and core',
    ratio: { to: 'an empty till', value: middle(({ small, large }) => large.perCore / small.perCore) },
    target: { of: 'ratio', atLeast: 0.9 },
  }
  return [
    {
      what,
      value: middle(({ small }) => small.perCore),
      unit: '/s and core',
      ratio: { to: 'a bare fastify route', value: middle(({ small, bare }) => small.perCore / bare.perCore) },
      target: { of: 'value', atLeast },
    },
    {
      what: `${what}, by the clock`,
      value: middle(({ small }) => small.perSecond),
      unit: '/s',
      ratio: { to: 'a bare fastify route', value: middle(({ small, bare }) => small.perSecond / bare.perSecond) },
    },
    {
      what: `${what}, p99 at ${atLeast / 2}/s`,
      value: middle(({ half }) => half.p99Ms),
      unit: 'ms',
      // Whole milliseconds; under one counts as one.
      ratio: {
        to: 'a bare fastify route',
        value: middle(({ half, bareHalf }) => half.p99Ms / Math.max(1, bareHalf.p99Ms)),
      },
      target: { of: 'value', atMost: P99_MS },
    },
    ...(grown ? [size] : []),
  ]
}
