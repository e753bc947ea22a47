// Looking up names over HTTP, from many addresses, against bare fastify routes that answer as many bytes.
import { spawn } from 'node:child_process'
import { firstLine, type LoadResult, offer, type Server } from './load.js'
import { type Measurement, median } from './measurement.js'
import { NAMES, nameOf } from './names-preload.js'
import { p99AtPace } from './paced.js'
import { getOf } from './posts.js'

interface Lookup {
  readonly what: string
  readonly path: (name: string) => string
  /** A name to ask for. */
  readonly name: (index: number) => string
}

/** Known names lie anywhere in the database; every other name whose availability is asked for is free. */
const known = (index: number): string => nameOf(1 + ((index * 7919 + 13) % NAMES))
const LOOKUPS: readonly Lookup[] = [
  { what: 'GET /.well-known/nostr.json', path: (name) => `/.well-known/nostr.json?name=${name}`, name: known },
  {
    what: 'GET /api/v1/name/{name}',
    path: (name) => `/api/v1/name/${name}`,
    name: (index) => (index % 2 === 0 ? known(index) : `free${index}`),
  },
]

const ROUNDS = 5
const SECONDS = 2
/** Long, so that one pause does not make a hundredth of the answers. */
const HALF_SECONDS = 6
const CONNECTIONS = 16
/** Different requests, each from an address of its own. */
const REQUESTS = 2000
const RATIO = 0.5
const P99_MS = 5

/** Fastify with the same two routes and nothing behind them. */
export async function startBareNames(): Promise<Server & { stop(): void }> {
  const key = 'ab'.repeat(32)
  const document = `{"names":{"2d30000005":"${key}"},"relays":{"${key}":["wss://names.example"]}}`
  const state = '{"name":"2d30000005","available":false,"reason":"taken","state":"taken"}'
  const source = `
    const { default: fastify } = await import('fastify')
    const app = fastify()
    const type = 'application/json; charset=utf-8'
    app.get('/.well-known/nostr.json', async (request, reply) => reply.header('content-type', type).send('${document}'))
    app.get('/api/v1/name/:name', async (request, reply) => reply.header('content-type', type).send('${state}'))
    console.log(await app.listen({ host: '127.0.0.1', port: 0 }))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: ['ignore', 'pipe', 'inherit'] })
  return { url: await firstLine(child), pid: child.pid ?? 0, stop: () => void child.kill() }
}

export async function lookups(own: Server, bare: Server): Promise<readonly Measurement[]> {
  const results: Measurement[] = []
  for (const lookup of LOOKUPS) results.push(...measurementsOf(lookup, await roundsOf(lookup, own, bare)))
  return results
}

interface Round {
  readonly bare: LoadResult
  readonly own: LoadResult
  /** At half of what was answered. */
  readonly p99Ms: number
}

async function roundsOf(lookup: Lookup, own: Server, bare: Server): Promise<readonly Round[]> {
  const requests = Array.from({ length: REQUESTS }, (_, index) => ({
    path: lookup.path(lookup.name(index)),
    headers: { 'x-real-ip': `10.1.${index >> 8}.${index & 255}` },
  }))
  const wire = requests.map(({ path, headers }) => getOf(own, path, headers))
  const load = (server: Server) => offer({ server, requests, connections: CONNECTIONS, seconds: SECONDS })
  for (const server of [bare, own]) await load(server)
  const rounds: Round[] = []
  for (let turn = 0; turn < ROUNDS; turn++) {
    const first = turn % 2 === 0 ? await load(bare) : undefined
    const measured = await load(own)
    const yardstick = first ?? (await load(bare))
    const rate = measured.perSecond / 2
    const p99Ms = await p99AtPace({
      server: own,
      requests: wire,
      connections: CONNECTIONS,
      seconds: HALF_SECONDS,
      rate,
    })
    rounds.push({ bare: yardstick, own: measured, p99Ms })
  }
  return rounds
}

function measurementsOf({ what }: Lookup, rounds: readonly Round[]): readonly Measurement[] {
  const middle = (of: (round: Round) => number) => median(rounds.map(of))
  const against = (value: number) => ({
    ratio: { to: 'a bare fastify route', value },
    target: { of: 'ratio', atLeast: RATIO } as const,
  })
  return [
    {
      what,
      value: middle(({ own }) => own.perCore),
      unit: '/s and core',
      ...against(middle(({ own, bare }) => own.perCore / bare.perCore)),
    },
    {
      what: `${what}, by the clock`,
      value: middle(({ own }) => own.perSecond),
      unit: '/s',
      ...against(middle(({ own, bare }) => own.perSecond / bare.perSecond)),
    },
    {
      what: `${what}, p99 at half of that rate`,
      value: middle(({ p99Ms }) => p99Ms),
      unit: 'ms',
      target: { of: 'value', atMost: P99_MS },
    },
  ]
}
