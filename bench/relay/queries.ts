// relay-queries: every query shape against a million stored events.
import type { Measurement } from '../measurement.js'
import { queriesOf, SHAPES, type ShapeName } from './data/queries.js'
import { loaded, STORED_SET } from './databases.js'
import { startOurs } from './relays/ours.js'
import { checkAnswers } from './workloads/answers.js'
import { query } from './workloads/query.js'

export const name = 'relay-queries'

/** REQs a second on two cores, where a bar was set. */
const AT_LEAST: Readonly<Partial<Record<ShapeName, number>>> = {
  'author-kind': 5500,
  wraps: 2100,
  ids: 8600,
  recent500: 760,
  'kind-recent': 5600,
  profiles: 2900,
  thread: 20_000,
  feed: 1020,
  miss: 40_000,
}
/** Questions of every shape, before the first is measured: a relay runs for weeks, and what it asks itself for the first time is compiled meanwhile. */
const WARM_UP = 500
const CONNECTIONS = 4

export async function run(): Promise<readonly Measurement[]> {
  const queries = await queriesOf(STORED_SET)
  const relay = await startOurs(loaded('ours'))
  const measured: Measurement[] = []
  try {
    for (const shape of SHAPES) {
      await checkAnswers(relay, shape, queries[shape])
      await query({ relay, shape, queries: queries[shape].slice(0, WARM_UP), connections: CONNECTIONS })
    }
    for (const shape of SHAPES) {
      const done = await query({ relay, shape, queries: queries[shape].slice(WARM_UP), connections: CONNECTIONS })
      const atLeast = AT_LEAST[shape]
      const bar = atLeast === undefined ? {} : { target: { of: 'value', atLeast } as const }
      const label = `relay: query "${shape}"`
      measured.push(
        { what: label, value: done.perSecond, unit: 'REQ/s', ...bar },
        { what: `${label}, processor time of one`, value: done.cpuUs, unit: 'µs' },
        { what: `${label}, 99 of 100 within`, value: done.taken.p99, unit: 'ms' },
      )
    }
    return measured
  } finally {
    await relay.stop()
  }
}
