// Creating and reading invoices over HTTP: the whole till, its database empty, and beside it one with a million invoices.
// Disk, bare server, small and large till take turns within a round, so that a busy moment hits all of them.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fsyncRate, type LoadResult, offer, startBareServer } from './load.js'
import { type Measurement, median } from './measurement.js'
import { PRELOAD, PRELOADED } from './preload.js'
import { READS, type ReadBar, readings } from './reads.js'
import { API, type BenchTill, startTill } from './till.js'

export const name = 'create'

const ROUNDS = 7
const SECONDS = 3

export async function run(): Promise<readonly Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-bench-'))
  const small = await startTill(join(folder, 'small'))
  const large = await startTill(join(folder, 'large'), { preloaded: PRELOAD })
  const bare = await startBareServer()
  try {
    const results: Measurement[] = []
    for (const bar of CREATES) results.push(...createsOf(bar, await createRounds(bar, small, large)))
    const [smallPaths, largePaths] = [await pathsOf(small), await pathsOf(large)]
    for (const [index, bar] of READS.entries()) {
      const sides = {
        small: { server: small, paths: smallPaths[index] },
        large: { server: large, paths: largePaths[index] },
      }
      results.push(...(await readings(bar, { bare, headers: API, ...sides })))
    }
    return [...results, { what: 'till right after all this, resident', value: small.residentMb(), unit: 'MB' }]
  } finally {
    bare.stop()
    await Promise.all([small.stop(), large.stop()])
    rmSync(folder, { recursive: true, force: true })
  }
}

interface CreateBar {
  readonly clients: string
  readonly connections: number
  /** Times the disk's own rate. */
  readonly atLeast: number
}

const CREATES: readonly CreateBar[] = [
  { clients: 'one client', connections: 1, atLeast: 0.8 },
  { clients: '32 clients', connections: 32, atLeast: 2 },
]

const body = JSON.stringify({ amount_grin: 1_500_000_000, order_ref: 'order-1001', memo: 'two coffees' })

interface Round {
  /** The disk's own rate, right before and right after the small till's turn. */
  readonly disk: number
  readonly small: LoadResult
  readonly large: LoadResult
}

async function createRounds({ connections }: CreateBar, small: BenchTill, large: BenchTill): Promise<readonly Round[]> {
  const create = (server: BenchTill, seconds = SECONDS) =>
    offer({ server, paths: ['/invoice'], method: 'POST', connections, seconds, headers: API, body })
  for (const till of [small, large]) await create(till, 2)
  const rounds: Round[] = []
  for (let turn = 0; turn < ROUNDS; turn++) {
    const early = turn % 2 === 0 ? undefined : await create(large)
    const before = fsyncRate(0.5)
    const result = await create(small)
    const disk = 2 / (1 / before + 1 / fsyncRate(0.5))
    rounds.push({ disk, small: result, large: early ?? (await create(large)) })
  }
  return rounds
}

function createsOf({ clients, atLeast }: CreateBar, rounds: readonly Round[]): readonly Measurement[] {
  const middle = (of: (round: Round) => number) => median(rounds.map(of))
  const what = `POST /invoice, ${clients}`
  return [
    { what: 'append and fdatasync, 4 KiB, meanwhile', value: middle(({ disk }) => disk), unit: '/s' },
    {
      what,
      value: middle(({ small }) => small.perSecond),
      unit: '/s',
      ratio: { to: 'fsync/s', value: middle(({ small, disk }) => small.perSecond / disk) },
      target: { of: 'ratio', atLeast },
    },
    {
      what: `${what}: each over one fsync`,
      value: middle(({ small, disk }) => 1000 / small.perSecond - 1000 / disk),
      unit: 'ms',
    },
    { what: `${what}: processor`, value: middle(({ small }) => small.processorMs), unit: 'ms each' },
    {
      what: `${what}, beside ${PRELOADED}`,
      value: middle(({ large }) => large.perSecond),
      unit: '/s',
      ratio: { to: 'an empty till', value: middle(({ small, large }) => large.perSecond / small.perSecond) },
      target: { of: 'ratio', atLeast: 0.9 },
    },
  ]
}

/** The addresses of 200 invoices, per kind of read. */
async function pathsOf({ url }: BenchTill): Promise<readonly (readonly string[])[]> {
  const made = Array.from({ length: 200 }, async () => {
    const created = await fetch(`${url}/invoice`, { method: 'POST', headers: API, body })
    return (await created.json()) as { invoice_id: string; token: string }
  })
  const invoices = await Promise.all(made)
  return READS.map(({ path }: ReadBar) => invoices.map((invoice) => path(invoice)))
}
