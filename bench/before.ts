// node --import tsx bench/before.ts --other FOLDER: the embedded default of this build beside another build of the repository (a worktree with node_modules,
// after node scripts/prepare.mjs), in turns: start and memory of each daemon; invoices, payments, webhooks and events by processor
// time, which other work on the machine changes less than the clock. --rounds 8; --only starts,memory,loads.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { median } from './measurement.js'
import { ownMb, residentMb } from './process.js'
import { processorUs } from './relay/client/figures.js'
import type { FrontEnds, Load } from './scale/front-ends.js'
import { watchMachine } from './scale/machine.js'
import { startEmbedded as startNames } from './scale/names.js'
import { startEmbedded as startRelay, toOk } from './scale/relay.js'
import { machineLine, tableOf } from './scale/tables.js'
import { invoices, payments, startEmbedded as startTill, webhooks } from './scale/till.js'

const DAEMONS = { 'serve pay': startTill, 'serve nameauth': startNames, 'serve relay': startRelay }
/** A till gives back what its start took after 20 s. */
const SETTLE_MS = 25_000
const LOADS: readonly { readonly load: Load; readonly start: typeof startTill; readonly answers: number }[] = [
  { load: invoices, start: startTill, answers: 1000 },
  { load: payments, start: startTill, answers: 32 },
  { load: webhooks, start: startTill, answers: 200 },
  { load: toOk, start: startRelay, answers: 5000 },
]

const { values: flags } = parseArgs({
  options: {
    other: { type: 'string' },
    rounds: { type: 'string', default: '8' },
    only: { type: 'string', default: 'starts,memory,loads' },
  },
})
if (flags.other === undefined) throw new Error('--other FOLDER: a built worktree of the commit to compare with')
const rounds = Number(flags.rounds)
const sides = { own: undefined, other: join(flags.other, 'bin/run.js') }
type Side = keyof typeof sides
type Values = Record<Side, number[]>

const rows: string[][] = []

/** The ratio is the median of the rounds' ratios. */
function add(what: string, unit: string, { own, other }: Values): void {
  const ratios = own.map((value, at) => value / (other[at] ?? Number.NaN))
  const shown = (value: number) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3))
  const range = `${Math.min(...ratios).toFixed(3)} to ${Math.max(...ratios).toFixed(3)}`
  rows.push([what, unit, shown(median(other)), shown(median(own)), median(ratios).toFixed(3), range])
  console.log(rows.at(-1)?.join(' | '))
}

const inTurns = async (times: number, work: (side: Side, round: number) => Promise<void>): Promise<void> => {
  for (let round = 0; round < times; round++)
    for (const side of round % 2 === 0 ? (['own', 'other'] as const) : (['other', 'own'] as const))
      await work(side, round)
}

const pidOf = ({ servers }: FrontEnds): number => servers[0]?.pid ?? 0

async function starts(): Promise<void> {
  for (const [what, start] of Object.entries(DAEMONS)) {
    const [clock, processor]: [Values, Values] = [
      { own: [], other: [] },
      { own: [], other: [] },
    ]
    await inTurns(rounds + 1, async (side, round) => {
      const begun = performance.now()
      const daemon = await start(sides[side])
      const ms = performance.now() - begun
      if (round > 0) {
        clock[side].push(ms)
        processor[side].push(processorUs(pidOf(daemon)) / 1000)
      }
      await daemon.stop()
    })
    add(`${what}: start until it answers`, 'ms', clock)
    add(`${what}: start until it answers`, 'ms processor', processor)
  }
}

async function memory(): Promise<void> {
  const running = Object.entries(DAEMONS).flatMap(([what, start]) =>
    (['own', 'other', 'other', 'own'] as const).map((side) => ({ what, side, daemon: start(sides[side]) })),
  )
  await Promise.all(running.map(({ daemon }) => daemon))
  await sleep(SETTLE_MS)
  for (const what of Object.keys(DAEMONS)) {
    for (const [name, mbOf] of [['resident', residentMb] as const, ['own, without mapped files', ownMb] as const]) {
      const values: Values = { own: [], other: [] }
      for (const one of running) if (one.what === what) values[one.side].push(mbOf(pidOf(await one.daemon)))
      add(`${what}: memory at rest, ${name}`, 'MB', values)
    }
  }
  for (const { daemon } of running) await (await daemon).stop()
}

async function loads(): Promise<void> {
  for (const start of new Set(LOADS.map((one) => one.start))) {
    const daemons = { own: await start(sides.own), other: await start(sides.other) }
    try {
      for (const { load, answers } of LOADS.filter((one) => one.start === start)) {
        const values: Values = { own: [], other: [] }
        await inTurns(rounds + 2, async (side, round) => {
          const send = await load.prepare(daemons[side].servers, { answers, clients: 32 })
          const before = processorUs(pidOf(daemons[side]))
          const count = await send()
          if (round > 1) values[side].push((processorUs(pidOf(daemons[side])) - before) / count)
        })
        add(`${load.what}, 32 clients`, 'µs processor', values)
      }
    } finally {
      await daemons.own.stop()
      await daemons.other.stop()
    }
  }
}

const machine = watchMachine()
for (const part of [starts, memory, loads]) if (flags.only.split(',').includes(part.name)) await part()
const head = ['', '', 'the other build', 'this build', 'this / other', 'least to most']
console.log(`\n${machineLine(machine())} ${rounds} rounds.\n\n${tableOf(head, rows)}`)
