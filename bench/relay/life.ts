// relay-life: what happens to a relay besides publishing and asking.
import { type Measurement, median } from '../measurement.js'
import { freshEvents, packedEvents } from './data/fresh.js'
import { queriesOf, SHAPES } from './data/queries.js'
import { copyOf, loaded, needSets, STORED_SET, WORLD } from './databases.js'
import { notesOfOne } from './fan-out.js'
import { startOurs } from './relays/ours.js'
import { broadcast } from './workloads/broadcast.js'
import { coldStart } from './workloads/cold-start.js'
import { crash } from './workloads/crash.js'
import { flood } from './workloads/flood.js'
import { idle } from './workloads/idle.js'
import { mix } from './workloads/mix.js'

export const name = 'relay-life'

const NOTE_AUTHORS = WORLD.authors.map(({ pubkey }) => pubkey)
const STARTS = 7
const MIX = { from: 0, seconds: 20, rate: 300 }

export async function run(): Promise<readonly Measurement[]> {
  needSets(STORED_SET, 'note', 'mixed', 'wrap')
  return [...(await mixed()), ...(await idleOnes()), await starts(), await crashes(), ...(await hostile())]
}

async function onCopy<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const { folder, drop } = copyOf('ours')
  try {
    return await work(folder)
  } finally {
    drop()
  }
}

const mixed = () =>
  onCopy(async (folder): Promise<readonly Measurement[]> => {
    const queries = await queriesOf(STORED_SET)
    const shapes = SHAPES.filter((shape) => shape !== 'count')
    const filters = Array.from({ length: 1000 }, (_, index) => shapes.map((shape) => queries[shape][index]!.filter))
    const relay = await startOurs(folder, { noteAuthors: NOTE_AUTHORS })
    const events = await packedEvents('note', MIX.from, MIX.seconds * MIX.rate)
    const { taken, queriesPerSecond } = await mix({ relay, events, rate: MIX.rate, filters: filters.flat() })
    await relay.stop()
    const label = 'relay: 300 events a second while 4 connections query without a pause'
    return [
      { what: `${label}, half of the OKs within`, value: taken.p50, unit: 'ms' },
      { what: `${label}, 99 of 100`, value: taken.p99, unit: 'ms', target: { of: 'value', atMost: 5 } },
      { what: `${label}, queries`, value: queriesPerSecond, unit: 'REQ/s' },
    ]
  })

/** With nothing stored: pages of a database that are looked at count as resident, and are none of the connections'. */
async function idleOnes(): Promise<readonly Measurement[]> {
  const { folder, drop } = copyOf('ours', 'empty')
  const relay = await startOurs(folder)
  const { kbPerConnection, connectionsPerSecond, processorShare } = await idle(relay, WORLD.recipients)
  await relay.stop()
  drop()
  const label = `relay: ${WORLD.recipients.length} idle connections`
  return [
    {
      what: `${label}, resident memory of one`,
      value: kbPerConnection,
      unit: 'KB',
      target: { of: 'value', atMost: 12 },
    },
    { what: `${label}, opened`, value: connectionsPerSecond, unit: '/s' },
    { what: `${label}, processor while nothing happens`, value: processorShare * 100, unit: '% of a core' },
  ]
}

async function starts(): Promise<Measurement> {
  const folder = loaded('ours')
  const taken: number[] = []
  for (let turn = 0; turn <= STARTS; turn++) taken.push(await coldStart(() => startOurs(folder)))
  return {
    what: 'relay: from its start to the first answered REQ',
    value: median(taken.slice(1)) / 1000, // the first one reads the program from the disk
    unit: 's',
    target: { of: 'value', atMost: 0.6 },
  }
}

const crashes = () =>
  onCopy(async (folder): Promise<Measurement> => {
    const start = () => startOurs(folder, { noteAuthors: NOTE_AUTHORS })
    const { lost } = await crash(start, await freshEvents('mixed', 0, 20_000), 8000)
    const what = 'relay: acknowledged events that kill -9 in the middle of publishing lost'
    return { what, value: lost, unit: '', target: { of: 'value', atMost: 0 } }
  })

const hostile = () =>
  onCopy(async (folder): Promise<readonly Measurement[]> => {
    const relay = await startOurs(folder, { noteAuthors: NOTE_AUTHORS })
    const [good, bad] = [await freshEvents('mixed', 0, 4000), await freshEvents('wrap', 0, 5000)]
    const { alone, beside, floodPerSecond } = await flood({ relay, good, bad, connections: 4, waiting: 64 })
    const events = await notesOfOne(0, 5000)
    const shape = { relay, connections: 20, perConnection: 10, atOnce: 100 }
    const without = await broadcast({ ...shape, events: events.slice(0, 500) })
    const slow = await broadcast({ ...shape, events: events.slice(500), slowReader: true })
    await relay.stop()
    return [
      {
        what: 'relay: OKs of a good client beside a flood of bad signatures, half within',
        value: beside.p50,
        unit: 'ms',
        ratio: { to: 'without the flood', value: beside.p50 / alone.p50 },
        target: { of: 'ratio', atMost: 3 },
      },
      {
        what: 'relay: the same, 99 of 100 within',
        value: beside.p99,
        unit: 'ms',
        ratio: { to: 'without the flood', value: beside.p99 / alone.p99 },
        target: { of: 'ratio', atMost: 3 },
      },
      { what: 'relay: bad signatures refused meanwhile', value: floodPerSecond, unit: '/s' },
      {
        what: 'relay: deliveries beside a reader that stopped',
        value: slow.deliveriesPerSecond,
        unit: '/s',
        ratio: { to: 'without it', value: slow.deliveriesPerSecond / without.deliveriesPerSecond },
      },
      { what: 'relay: readers that stopped and were dropped', value: Number(slow.slowDropped), unit: 'of 1' },
      { what: 'relay: resident after it', value: slow.residentMb, unit: 'MB' },
    ]
  })
