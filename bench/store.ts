// The till's database: durable writes held against the disk's own rate in the same run, reads, and the same again with a
// million invoices already there.
import { randomBytes } from 'node:crypto'
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type OpenTillStore, openTillStore } from '../src/storage/index.js'
import type { Invoice } from '../src/till/index.js'
import { anInvoice, aPayment, DAY, grin, NOON } from '../test/support/till-builders.js'
import { type Measurement, median } from './measurement.js'
import { PRELOAD, PRELOADED, preloadInvoices } from './preload.js'

export const name = 'store'

const ROUNDS = 9
const QR = `<svg>${'<path d="M0 0h7v7h-7z"/>'.repeat(60)}</svg>`

const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const start = process.hrtime.bigint()
  await work()
  return Number(process.hrtime.bigint() - start) / 1e9
}

let orders = 10_000_000

/** A row as the till makes it, none like another: real ids are random, and so land anywhere in an index. */
const freshInvoice = (): Invoice =>
  anInvoice({
    id: randomBytes(16).toString('hex'),
    token: randomBytes(32).toString('base64url'),
    recipientPubkey: randomBytes(32).toString('hex'),
    orderRef: `order-${++orders}`,
    expiresAt: NOON + DAY,
    qrSvg: QR,
  })

/** Appends and syncs a page at a time: what one durable commit costs at least. */
async function diskSyncsPerSecond(folder: string): Promise<number> {
  const handle = openSync(join(folder, 'disk'), 'a')
  const page = Buffer.alloc(4096, 1)
  const times = 60
  const taken = await seconds(async () => {
    for (let i = 0; i < times; i++) {
      writeSync(handle, page)
      fdatasyncSync(handle)
    }
  })
  closeSync(handle)
  return times / taken
}

interface Probe {
  readonly what: string
  readonly times: number
  /** For the disk, so the clock counts; everything else is processor time, which a busy machine disturbs less. */
  readonly waits?: true
  /** Many at once: random ids then touch a page each, which a small database shares; no bar is set on that. */
  readonly bulk?: true
  readonly run: (store: OpenTillStore, known: readonly Invoice[]) => Promise<unknown>
}

async function inserts(store: OpenTillStore, callers: number, each: number): Promise<void> {
  const caller = async () => {
    for (let i = 0; i < each; i++) await store.insertInvoice(freshInvoice(), NOON)
  }
  await Promise.all(Array.from({ length: callers }, caller))
}

const READS = 3000
const reads = (read: (store: OpenTillStore, invoice: Invoice) => Promise<unknown>): Probe['run'] =>
  async function readAll(store, known) {
    for (let i = 0; i < READS; i++) {
      const invoice = known[i % known.length]
      if (invoice) await read(store, invoice)
    }
  }

async function payments(store: OpenTillStore): Promise<void> {
  for (let i = 0; i < 40; i++) {
    const invoice = freshInvoice()
    await store.insertInvoice(invoice, NOON)
    const keyIndex = await store.takeKeyIndex()
    const [commitment, excess] = [randomBytes(33), randomBytes(33)]
    await store.acceptPayment(aPayment({ invoiceId: invoice.id, keyIndex, commitment, excess }), null, NOON, NOON)
  }
}

const PROBES: readonly Probe[] = [
  { what: 'durable invoices, one caller', times: 150, waits: true, run: (store) => inserts(store, 1, 150) },
  {
    what: 'durable invoices, 32 callers',
    times: 1280,
    waits: true,
    bulk: true,
    run: (store) => inserts(store, 32, 40),
  },
  { what: 'invoice, key and payment, one caller', times: 40, waits: true, run: payments },
  { what: 'invoice by id', times: READS, run: reads((store, { id }) => store.invoiceById(id)) },
  { what: 'invoice by token', times: READS, run: reads((store, { token }) => store.invoiceByToken(token)) },
  {
    what: 'payable by recipient',
    times: READS,
    run: reads((store, { recipientPubkey }) => store.payableByRecipient(recipientPubkey, NOON, 2)),
  },
  { what: 'payable by amount', times: READS, run: reads((store) => store.payableByAmount(grin(3), NOON, 2)) },
  { what: 'page of 50 invoices', times: READS / 50, run: pages },
  { what: 'sweep with nothing due', times: READS / 5, run: sweeps },
]

async function pages(store: OpenTillStore): Promise<void> {
  for (let i = 0; i < READS / 50; i++) await store.listInvoices({ status: 'open', limit: 50 })
}

async function sweeps(store: OpenTillStore): Promise<void> {
  for (let i = 0; i < READS / 5; i++) await store.expireDue(NOON, 100)
}

interface Sides {
  readonly folder: string
  readonly small: Side
  readonly large: Side
}

interface Side {
  readonly store: OpenTillStore
  readonly known: readonly Invoice[]
  close(): Promise<void>
}

async function openSide(folder: string, file: string, preloaded: number): Promise<Side> {
  const parts = { path: join(folder, file), chain: 'sandbox', fingerprint: 'bench', now: () => NOON } as const
  await (await openTillStore(parts)).close()
  if (preloaded > 0) preloadInvoices(parts.path, preloaded, NOON)
  const store = await openTillStore(parts)
  const known = Array.from({ length: 300 }, freshInvoice)
  await Promise.all(known.map((invoice) => store.insertInvoice(invoice, NOON)))
  return { store, known, close: () => store.close() }
}

interface Figures {
  /** Runs per second: of the clock for what waits for the disk, of the processor for reads. */
  readonly small: number
  readonly large: number
  /** Large against small, and small against the disk: the middle of the rounds' own ratios. */
  readonly kept: number
  readonly againstDisk: number
  readonly disk: number
  readonly cpuMs: number
}

async function once({ times, run, waits }: Probe, { store, known }: Side): Promise<{ rate: number; cpuMs: number }> {
  const before = process.cpuUsage()
  const clock = await seconds(() => run(store, known))
  const { user, system } = process.cpuUsage(before)
  const cpu = (user + system) / 1e6
  return { rate: times / (waits ? clock : cpu), cpuMs: (cpu * 1000) / times }
}

interface Round {
  readonly small: number
  readonly large: number
  readonly disk: number
  readonly cpuMs: number
}

/** Disk, small and large take turns within a round, small and large first in turns: a busy moment hits all of them. */
async function oneRound(probe: Probe, { folder, small, large }: Sides, turn: number): Promise<Round> {
  const disk = probe.waits ? await diskSyncsPerSecond(folder) : Number.NaN
  if (turn % 2 === 0) {
    const first = await once(probe, small)
    return { small: first.rate, large: (await once(probe, large)).rate, disk, cpuMs: first.cpuMs }
  }
  const { rate } = await once(probe, large)
  const second = await once(probe, small)
  return { small: second.rate, large: rate, disk, cpuMs: second.cpuMs }
}

async function compare(probe: Probe, sides: Sides): Promise<Figures> {
  await oneRound(probe, sides, 0)
  const rounds: Round[] = []
  for (let turn = 0; turn < ROUNDS; turn++) rounds.push(await oneRound(probe, sides, turn))
  const middle = (of: (round: Round) => number) => median(rounds.map(of))
  return {
    small: middle((round) => round.small),
    large: middle((round) => round.large),
    kept: middle((round) => round.large / round.small),
    againstDisk: middle((round) => round.small / round.disk),
    disk: middle((round) => round.disk),
    cpuMs: middle((round) => round.cpuMs),
  }
}

export async function run(): Promise<readonly Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-bench-'))
  try {
    const small = await openSide(folder, 'small.db', 0)
    const large = await openSide(folder, 'large.db', PRELOAD)
    const results: Measurement[] = []
    for (const probe of PROBES) results.push(...measurementsOf(probe, await compare(probe, { folder, small, large })))
    await Promise.all([small.close(), large.close()])
    return results
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function measurementsOf(probe: Probe, figures: Figures): readonly Measurement[] {
  const { what, waits } = probe
  const { small, large, kept, againstDisk, disk, cpuMs } = figures
  const unit = waits ? '/s' : '/s processor'
  const grown: Measurement = {
    what: `${what}, beside ${PRELOADED}`,
    value: large,
    unit,
    ratio: { to: 'an empty database', value: kept },
    ...(probe.bulk ? {} : { target: { of: 'ratio', atLeast: 0.9 } as const }),
  }
  if (!what.startsWith('durable')) {
    const target = what === 'invoice by id' ? ({ target: { of: 'value', atLeast: 30_000 } } as const) : {}
    return [{ what, value: small, unit, ...target }, grown]
  }
  return [
    { what: 'append and fdatasync, 4 KiB, meanwhile', value: disk, unit: '/s' },
    {
      what,
      value: small,
      unit,
      ratio: { to: 'append and fdatasync', value: againstDisk },
      target: { of: 'ratio', atLeast: what.includes('32') ? 1 : 0.5 },
    },
    { what: `${what}: processor`, value: cpuMs, unit: 'ms each', target: { of: 'value', atMost: 0.2 } },
    grown,
  ]
}
