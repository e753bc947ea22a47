// relay-fan-out: live events to many subscriptions.
import type { Measurement } from '../measurement.js'
import { type Fresh, freshEvents } from './data/fresh.js'
import { storedEnd } from './data/sets.js'
import { copyOf, needSets, STORED_SET, WORLD } from './databases.js'
import type { RunningRelay } from './relays/launch.js'
import { startOurs } from './relays/ours.js'
import { broadcast } from './workloads/broadcast.js'
import { inboxes } from './workloads/inbox.js'

export const name = 'relay-fan-out'

const TWO_DAYS = 2 * 86_400
const WRAPS = 2000
const FEW = 500

export async function run(): Promise<readonly Measurement[]> {
  needSets(STORED_SET, 'note', 'wrap')
  const { folder, drop } = copyOf('ours')
  const relay = await startOurs(folder, { noteAuthors: WORLD.authors.map(({ pubkey }) => pubkey) })
  try {
    return [...(await broadcasts(relay)), await latency(relay), ...(await inbox(relay))]
  } finally {
    await relay.stop()
    drop()
  }
}

/** Notes by the busiest author; each call of a run has to take others. */
export const notesOfOne = (from: number, count: number): Promise<readonly Fresh[]> =>
  freshEvents('note', from, count, ({ event }) => event.pubkey === WORLD.authors[0]?.pubkey)

export const toThousand = async (relay: RunningRelay, from: number, events = 400) =>
  broadcast({ relay, events: await notesOfOne(from, events), connections: 100, perConnection: 10, atOnce: 100 })

async function broadcasts(relay: RunningRelay): Promise<readonly Measurement[]> {
  await toThousand(relay, 0)
  const { deliveriesPerSecond, cpuUs } = await toThousand(relay, 400, 1200)
  const label = 'relay: one event to 1,000 subscriptions'
  return [
    { what: `${label}, deliveries`, value: deliveriesPerSecond, unit: '/s', target: { of: 'value', atLeast: 950_000 } },
    { what: `${label}, processor time of a delivery`, value: cpuUs, unit: 'µs' },
  ]
}

async function latency(relay: RunningRelay): Promise<Measurement> {
  const events = await notesOfOne(2000, 400)
  const { taken } = await broadcast({ relay, events, connections: 50, perConnection: 2, atOnce: 1 })
  return { what: 'relay: one event to 100 subscriptions, 99 of 100 deliveries within', value: taken.p99, unit: 'ms' }
}

export const toInboxes = async (relay: RunningRelay, from: number, count = 10_000) => {
  const recipients = WORLD.recipients.slice(0, count)
  const wanted = new Set(recipients)
  const isForThem = ({ event }: { event: Fresh['event'] }): boolean => wanted.has(event.tags[0]?.[1] ?? '')
  const events = await freshEvents('wrap', from, WRAPS, isForThem)
  return inboxes({ relay, events, recipients, connections: Math.min(500, count / 20), since: storedEnd() - TWO_DAYS })
}

/** The same events' worth with few subscriptions: what it costs must not grow with them. */
async function inbox(relay: RunningRelay): Promise<readonly Measurement[]> {
  await toInboxes(relay, 0)
  const few = await toInboxes(relay, WRAPS * 2, FEW)
  const many = await toInboxes(relay, WRAPS)
  const label = 'relay: gift wraps to 10,000 subscriptions, one each'
  return [
    { what: label, value: many.perSecond, unit: '/s', target: { of: 'value', atLeast: 13_500 } },
    { what: `${label}, half of them within`, value: many.taken.p50, unit: 'ms' },
    {
      what: `${label}, processor time of one`,
      value: many.cpuUs,
      unit: 'µs',
      ratio: { to: 'the same to 500 subscriptions', value: many.cpuUs / few.cpuUs },
    },
  ]
}
