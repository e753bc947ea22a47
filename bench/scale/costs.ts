// What the model needs, measured on this machine in about two minutes: one event, delivery, query, connection.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventText } from '../../src/nostr/event/index.js'
import { openEventCounter, openEventStore } from '../../src/storage/index.js'
import { ownMb } from '../process.js'
import { freshEvents } from '../relay/data/fresh.js'
import { type Queries, queriesOf, type ShapeName } from '../relay/data/queries.js'
import { copyOf, loaded, needSets, STORED_SET, WORLD } from '../relay/databases.js'
import { toThousand } from '../relay/fan-out.js'
import { onlyReplaced } from '../relay/publish.js'
import type { RunningRelay } from '../relay/relays/launch.js'
import { OUR_DATABASE, startOurs } from '../relay/relays/ours.js'
import { idle } from '../relay/workloads/idle.js'
import { publish } from '../relay/workloads/publish.js'
import { query } from '../relay/workloads/query.js'
import type { FigureName } from './figures.js'

export type Costs = Partial<Record<FigureName, number>>

const CLASSES = {
  shortQueryUs: ['miss', 'thread', 'ids'],
  pageQueryUs: ['author-kind', 'wraps', 'kind-recent'],
  feedQueryUs: ['feed', 'profiles', 'recent500'],
} as const satisfies Partial<Record<FigureName, readonly ShapeName[]>>

const MANY = { connections: 8, waiting: 64 }
const WARM_UP = { from: 100_000, count: 4000 }
const PUBLISHED = 16_000
const APPLIED = { from: 20_000, count: 40_000, warmUp: 4000, atOnce: 256 }
/** All shapes are asked before the first is measured: a relay runs for weeks, and what it asks for the first time is compiled meanwhile. */
const QUERIES = { warmUp: 800, measured: 1200, connections: 4 }

export async function measureCosts(): Promise<Costs> {
  needSets(STORED_SET, 'note', 'mixed')
  return {
    ...(await connections()),
    ...(await onCopy()),
    ...(await queries()),
    ...(await applied()),
    ...(await stored()),
  }
}

/** Events from clients, and to them. */
async function onCopy(): Promise<Costs> {
  const { folder, drop } = copyOf('ours')
  const relay = await startOurs(folder, { noteAuthors: WORLD.authors.map(({ pubkey }) => pubkey) })
  try {
    await publish({ relay, events: await freshEvents('mixed', WARM_UP.from, WARM_UP.count), ...MANY })
    const events = await freshEvents('mixed', 0, PUBLISHED)
    const published = await publish({ relay, events, ...MANY })
    onlyReplaced(published)
    const eventBytes = events.reduce((sum, { frame }) => sum + frame.length, 0) / events.length
    const processMb = ownMb(relay.pid)
    await toThousand(relay, 0)
    const { cpuUs } = await toThousand(relay, 400, 1200)
    return { publishUs: published.cpuUs, deliveryUs: cpuUs, eventBytes, processMb }
  } finally {
    await relay.stop()
    drop()
  }
}

async function queries(): Promise<Costs> {
  const asked = await queriesOf(STORED_SET)
  const relay = await startOurs(loaded('ours'))
  try {
    const { warmUp, connections } = QUERIES
    for (const shape of Object.values(CLASSES).flat())
      await query({ relay, shape, queries: asked[shape].slice(0, warmUp), connections })
    const costs: Costs = {}
    for (const [name, shapes] of Object.entries(CLASSES) as [FigureName, readonly ShapeName[]][]) {
      const each: number[] = []
      for (const shape of shapes) each.push(await costOf(relay, shape, asked))
      costs[name] = each.reduce((sum, us) => sum + us) / each.length
    }
    return costs
  } finally {
    await relay.stop()
  }
}

async function costOf(relay: RunningRelay, shape: ShapeName, asked: Queries): Promise<number> {
  const { warmUp, measured, connections } = QUERIES
  return (await query({ relay, shape, queries: asked[shape].slice(warmUp, warmUp + measured), connections })).cpuUs
}

/** Connections that wait. The kernel keeps both ends of each on this machine, so half of what it took counts. */
async function connections(): Promise<Costs> {
  const { folder, drop } = copyOf('ours', 'empty')
  const relay = await startOurs(folder)
  const before = kernelBytes()
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, kernelBytes())
  }, 500)
  try {
    const { kbPerConnection, processorShare } = await idle(relay, WORLD.recipients)
    const count = WORLD.recipients.length
    return {
      connectionBytes: kbPerConnection * 1024,
      kernelBytes: (most - before) / count / 2,
      connectionUs: (processorShare * 1e6) / count,
    }
  } finally {
    clearInterval(timer)
    await relay.stop()
    drop()
  }
}

const PAGE = 4096

/** Memory of the kernel's own objects that it cannot drop, and of buffers of TCP. */
function kernelBytes(): number {
  const slab = Number(/^SUnreclaim:\s+(\d+) kB/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1] ?? Number.NaN)
  const tcp = Number(/^TCP:.* mem (\d+)/m.exec(readFileSync('/proc/net/sockstat', 'utf8'))?.[1] ?? Number.NaN)
  return slab * 1024 + tcp * PAGE
}

/** Events as another front end passes them on: their texts are read, their signatures trusted. Closing the store writes the last index rows. */
async function applied(): Promise<Costs> {
  const { folder, drop } = copyOf('ours')
  try {
    const { from, count, warmUp, atOnce } = APPLIED
    const lines = (await freshEvents('mixed', from, count + warmUp)).map(({ event }) => JSON.stringify(event))
    const store = await openEventStore({ path: join(folder, OUR_DATABASE), clock: { now: Date.now } })
    const apply = async (some: readonly string[]): Promise<void> => {
      for (let at = 0; at < some.length; at += atOnce) {
        store.append(some.slice(at, at + atOnce).map((line) => eventText(JSON.parse(line))!))
        await new Promise(setImmediate) // what the store does beside runs in turns
      }
    }
    await apply(lines.slice(0, warmUp))
    const before = process.cpuUsage()
    await apply(lines.slice(warmUp))
    await store.close()
    const { user, system } = process.cpuUsage(before)
    return { applyUs: (user + system) / count }
  } finally {
    drop()
  }
}

async function stored(): Promise<Costs> {
  const counter = await openEventCounter(join(loaded('ours'), OUR_DATABASE))
  try {
    const { bytes, events } = await counter.count()
    return { storedBytes: bytes / events }
  } finally {
    await counter.close()
  }
}
