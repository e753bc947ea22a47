// The model of a large relay, against cases that were worked out by hand.
import { expect, test } from 'vitest'
import { FIGURES, figureNames, flagOf, valuesOf } from '../../bench/scale/figures.js'
import { predict } from '../../bench/scale/front-end-model.js'
import { planFor, queryUs, shardsFor } from '../../bench/scale/model.js'
import { tillPlan } from '../../bench/scale/till-model.js'

/** Round figures, so that each result can be checked in the head. */
const ROUND = valuesOf({
  publishUs: 150,
  applyUs: 50,
  deliveryUs: 1,
  shortQueryUs: 100,
  pageQueryUs: 200,
  feedQueryUs: 1000,
  connectionUs: 1,
  connectionBytes: 10_000,
  kernelBytes: 10_000,
  processMb: 1000,
  eventBytes: 1000,
  storedBytes: 2000,
  logMbps: 50,
  deliveries: 10,
  queries: 0.01,
  shortShare: 0.5,
  pageShare: 0.4,
  queryEvents: 10,
  authorShare: 0.5,
  hotShare: 0.01,
  load: 0.5,
  applyShare: 0.25,
  fill: 0.8,
  connectionsMost: 50_000,
  coresPerProcess: 4,
  logDays: 7,
  nodeDiskTb: 2,
})

test('the average query weighs its classes', () => {
  // 0.5 x 100 + 0.4 x 200 + 0.1 x 1,000
  expect(queryUs(ROUND)).toBeCloseTo(230)
})

test('a million connections: twenty front ends on five machines', () => {
  const plan = planFor({ connections: 1_000_000, writes: 1000, events: 1e9 }, ROUND)
  const [front, proxies, database] = plan.groups
  // Of each event loop 1,000 x 50 us = 0.05 goes to the log, 0.45 stay. Clients: 1,000 x 100 us + 10,000 x 1 us + 10,000 x 230 us + 10^6 x 1 us
  // = 0.1 + 0.01 + 2.3 + 1 = 3.41 s a second: 8 loops. Connections decide: 10^6 / 50,000 = 20.
  expect(front).toMatchObject({ processes: 20 })
  // Each: 1 GB + 20 GB hot + 50,000 x 20 kB = 22 GB of memory, and 2 TB of disk: by disk 6.4 / 2 = 3 a machine, so 7 machines.
  expect(front).toMatchObject({ machines: 7, memoryGb: 440, euros: 1050 })
  expect(front?.diskTb).toBeCloseTo(40)
  // 3 processes a machine, each 1 MB/s of log and (10 + 100) / 20 MB/s to clients.
  expect(front?.networkMbps).toBeCloseTo(3 * (1 + 5.5))
  expect(proxies).toMatchObject({ machines: 2, memoryGb: 40, networkMbps: 110 })
  // 1 MB/s for 7 days: 0.605 TB a node. The primary receives 1 and sends to 20 front ends and 2 standbys.
  expect(database).toMatchObject({ machines: 3, euros: 180, networkMbps: 23 })
  expect(database?.diskTb).toBeCloseTo(1.814, 3)
  // 110 MB/s for 30 days.
  expect(plan.trafficTb).toBeCloseTo(285.12)
  expect(plan.euros).toBeCloseTo(1050 + 300 + 180 + 285.12)
  expect(plan).toMatchObject({ machines: 12, shards: 1, beyond: [] })
})

test('two front ends stand on two machines, however little they do', () => {
  const plan = planFor({ connections: 10, writes: 1, events: 1000 }, ROUND)
  expect(plan.groups.map(({ machines }) => machines)).toEqual([2, 2, 3])
})

test('the log of writes beyond one event loop needs shards, and that is said to be a design', () => {
  // One process applies 0.25 / 50 us = 5,000 a second.
  expect(shardsFor({ connections: 0, writes: 5000, events: 0 }, ROUND)).toBe(1)
  expect(shardsFor({ connections: 0, writes: 5001, events: 0 }, ROUND)).toBe(2)
  const plan = planFor({ connections: 100_000, writes: 100_000, events: 1e8 }, ROUND)
  expect(plan.shards).toBe(20)
  expect(plan.beyond[0]).toBe('20 shards and gateways: only designed, no code has them')
  const [stores, gateways, , database] = plan.groups
  // 20 shards x 3 copies, four a machine. Gateways: 100,000 x 100 us + 10^6 x 1 us + 1,000 x 230 us + 0.1 s = 11.33 s: 23 loops of 0.5.
  expect(stores).toMatchObject({ processes: 60, machines: 15 })
  expect(gateways).toMatchObject({ processes: 23 })
  // 100 MB/s for 7 days are 60.48 TB, in parts of 1.6: 38 clusters.
  expect(database).toMatchObject({ machines: 38 * 3 })
})

test('events beyond the disk or the memory of one machine need shards', () => {
  // 6.4 TB / 2,000 bytes
  expect(shardsFor({ connections: 0, writes: 0, events: 3.2e9 }, ROUND)).toBe(1)
  expect(shardsFor({ connections: 0, writes: 0, events: 1e10 }, ROUND)).toBe(4)
  // A tenth in memory, 200 bytes each: 128 x 0.8 GB, less 1 GB of the process and 1 GB of connections, hold 502 million.
  const hot = valuesOf(ROUND, { hotShare: 0.1 })
  expect(shardsFor({ connections: 0, writes: 0, events: 502e6 }, hot)).toBe(1)
  expect(shardsFor({ connections: 0, writes: 0, events: 503e6 }, hot)).toBe(2)
})

test('a log that leaves clients nothing is refused', () => {
  expect(() => planFor({ connections: 1, writes: 1, events: 1 }, valuesOf(ROUND, { applyShare: 0.5 }))).toThrow(
    'applyShare',
  )
})

test('proxies multiply with the traffic; a machine whose network is too small is named', () => {
  const target = { connections: 1_000_000, writes: 1000, events: 1e9 }
  // 110 MB/s come and go: 220 in parts of 80.
  const narrow = planFor(target, valuesOf(ROUND, { networkMbps: 100 }))
  expect(narrow.groups[1]).toMatchObject({ what: 'proxies', machines: 3 })
  expect(narrow.beyond).toEqual([])
  const tooNarrow = planFor(target, valuesOf(ROUND, { networkMbps: 20 }))
  expect(tooNarrow.beyond).toEqual(['front ends: 20 MB/s on one machine'])
})

test('more of anything never costs less', () => {
  const target = { connections: 100_000, writes: 1000, events: 1e8 }
  const euros = planFor(target, ROUND).euros
  for (const name of ['connections', 'writes', 'events'] as const)
    expect(planFor({ ...target, [name]: target[name] * 100 }, ROUND).euros).toBeGreaterThanOrEqual(euros)
})

test('a till: two invoices and a second webhook for each payment', () => {
  const costs = {
    invoice: { frontEndMs: 1, databaseMs: 1 },
    payment: { frontEndMs: 25, databaseMs: 5 },
    webhook: { frontEndMs: 3, databaseMs: 3 },
  }
  // 30 ms and 10 ms each; a machine gives 16 x 0.5 = 8 processors, so 30 of them are four machines.
  const few = tillPlan(10, costs, valuesOf(ROUND, { machineEuros: 100, nodeEuros: 50 }))
  expect(few).toEqual({ frontEndCores: 0.3, databaseCores: 0.1, machines: 5, euros: 350 })
  const many = tillPlan(1000, costs, valuesOf(ROUND, { machineEuros: 100, nodeEuros: 50 }))
  expect(many).toEqual({ frontEndCores: 30, databaseCores: 10, machines: 7, euros: 550 })
})

const NOTHING = { frontEndMs: 0, loopMs: 0, everywhereMs: 0, turnMs: 0, waitMs: 0, databaseMs: 0, clientMs: 0 }
const machine = (frontEnds: number, cores: number, clients = 32) => ({ frontEnds, cores, clients })

test('front ends that change one thing at a time gain with each other, until the processors end', () => {
  const costs = { ...NOTHING, frontEndMs: 1, loopMs: 1, turnMs: 4, waitMs: 4, databaseMs: 2, clientMs: 1 }
  expect(predict(costs, machine(1, 2))).toEqual({ perSecond: 250, limit: 'turns' })
  // Two processors: 2,000 ms a second for 4 ms each.
  expect(predict(costs, machine(2, 2)).perSecond).toBe(500)
  expect(predict(costs, machine(3, 2))).toEqual({ perSecond: 500, limit: 'processors' })
  expect(predict(costs, machine(3, 16))).toEqual({ perSecond: 750, limit: 'turns' })
})

test('what every front end repeats bounds all of them together', () => {
  const costs = {
    ...NOTHING,
    ...{ frontEndMs: 0.1, loopMs: 0.1, everywhereMs: 0.05, databaseMs: 0.02, clientMs: 0.01 },
  }
  expect(predict(costs, machine(1, 16)).perSecond).toBeCloseTo(1000 / 0.15)
  expect(predict(costs, machine(4, 16)).perSecond).toBeCloseTo(1000 / 0.075)
  expect(predict({ ...costs, clientMs: 0.2 }, machine(4, 16))).toEqual({ perSecond: 5000, limit: 'load generator' })
})

test('work in other threads needs processors, but does not hold up an event loop', () => {
  const costs = { ...NOTHING, frontEndMs: 30, loopMs: 2, databaseMs: 1, clientMs: 1 }
  expect(predict(costs, machine(1, 2))).toEqual({ perSecond: 62.5, limit: 'processors' })
  expect(predict(costs, machine(1, 64))).toEqual({ perSecond: 500, limit: 'event loops' })
})

test('few clients that wait for the database leave a front end idle', () => {
  const costs = { ...NOTHING, frontEndMs: 1, loopMs: 1, waitMs: 8 }
  // Each of 8 clients: 8 ms until its turn, 8 ms for the database.
  expect(predict(costs, machine(1, 16, 8)).perSecond).toBe(500)
  expect(predict(costs, machine(1, 16, 800)).perSecond).toBeCloseTo(990.1)
})

test('a figure can be changed by its name only, and each has a flag and a unit of its own', () => {
  expect(valuesOf({ applyUs: 60 }, { applyUs: 70 }).applyUs).toBe(70)
  expect(() => valuesOf({ applyMs: 1 })).toThrow('not a figure: applyMs')
  expect(() => valuesOf({ applyUs: -1 })).toThrow('applyUs: not a positive number: -1')
  expect(figureNames.map(flagOf)).toContain('connections-most')
  expect(new Set(Object.values(FIGURES).map(({ about }) => about)).size).toBe(figureNames.length)
})
