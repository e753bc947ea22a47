// relay-loop: steps of the relay's event loop and their causes, while events are published at fixed rates. A control process of the same priority
// shows how late this machine wakes a process that only reads the clock; the load generator's own lateness is part of the latency of an OK.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Measurement } from '../measurement.js'
import type { Spread } from './client/figures.js'
import { freshEvents, packedEvents } from './data/fresh.js'
import { copyOf, needSets, WORLD } from './databases.js'
import { figuresOf, PROBE } from './probe/ask-probe.js'
import { causesOf, type LoopFigures } from './probe/loop-figures.js'
import { onlyReplaced } from './publish.js'
import type { RunningRelay } from './relays/launch.js'
import { startOurs } from './relays/ours.js'
import { type Published, publish, publishAtRate, UNCOUNTED } from './workloads/publish.js'

export const name = 'relay-loop'

const WARM_UP = 8000
const SECONDS = Number(process.env.GRINPAY_BENCH_SECONDS ?? 30)
/** The bars are milliseconds. */
const RATES = [
  { rate: 1000, p99: 3 },
  { rate: 2000, p99: 6 },
]
const CONNECTIONS = 8

export async function run(): Promise<readonly Measurement[]> {
  needSets('mixed')
  const { folder, drop } = copyOf('ours')
  const out = join(folder, 'loop.json')
  const noteAuthors = WORLD.authors.map(({ pubkey }) => pubkey)
  const relay = await startOurs(folder, { noteAuthors, node: ['--import', `${PROBE}?out=${encodeURIComponent(out)}`] })
  try {
    await publish({ relay, events: await freshEvents('mixed', 0, WARM_UP), connections: CONNECTIONS, waiting: 64 })
    const measured: Measurement[] = []
    let from = WARM_UP
    for (const pace of RATES) {
      measured.push(...(await atRate(relay, out, pace, from)))
      from += pace.rate * (UNCOUNTED + SECONDS)
    }
    return measured
  } finally {
    await relay.stop()
    drop()
  }
}

async function atRate(
  relay: RunningRelay,
  out: string,
  { rate, p99 }: (typeof RATES)[number],
  from: number,
): Promise<readonly Measurement[]> {
  const events = await packedEvents('mixed', from, rate * (UNCOUNTED + SECONDS))
  const control = fork(join(import.meta.dirname, 'control.ts'))
  await once(control, 'message')
  await figuresOf(relay, out)
  const published = await publishAtRate({ relay, events, connections: CONNECTIONS }, rate)
  const loop = await figuresOf(relay, out)
  control.send('stop')
  const [idle] = (await once(control, 'message')) as [Spread]
  onlyReplaced(published)
  const [half, most, ...others] = rowsOf(`relay: ${rate} events a second`, published, idle, loop)
  return [half, { ...most, target: { of: 'value', atMost: p99 } }, ...others]
}

function rowsOf(
  label: string,
  { taken, late, cpuUs }: Pick<Published, 'taken' | 'late' | 'cpuUs'>,
  idle: Spread,
  loop: LoopFigures,
): readonly [Measurement, Measurement, ...Measurement[]] {
  const row = (what: string, value: number, unit: string): Measurement => ({ what: `${label}, ${what}`, value, unit })
  const { minor, major } = loop.gc
  return [
    row('half of the OKs within', taken.p50, 'ms'),
    row('99 of 100', taken.p99, 'ms'),
    row('999 of 1000', taken.p999, 'ms'),
    row('slowest OK', taken.most, 'ms'),
    row('control process late, half within', idle.p50, 'ms'),
    row('control process late, 99 of 100 within', idle.p99, 'ms'),
    row('control process late, at most', idle.most, 'ms'),
    row('load generator late, half within', late.p50, 'ms'),
    row('load generator late, 99 of 100 within', late.p99, 'ms'),
    row('99 of 100 OKs, less the control process', taken.p99 - idle.p99, 'ms'),
    row('processor time of one event', cpuUs, 'µs'),
    row('longest step, processor time', loop.longest, 'ms'),
    row('longest blocked step', loop.longestBlocked, 'ms'),
    row('scavenges', minor.total / loop.seconds, 'ms/s'),
    row('longest scavenge', minor.longest, 'ms'),
    row('full collections', major.total / loop.seconds, 'ms/s'),
    row('longest full collection', major.longest, 'ms'),
    ...Object.entries(causesOf(loop)).map(([cause, count]) => row(`steps beyond 5 ms, mostly ${cause}`, count, '')),
  ]
}
