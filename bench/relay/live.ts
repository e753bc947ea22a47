// What it costs to find the subscriptions that want an event, and to put their frames together: processor time in a warm process.
import type { NostrEvent } from '../../src/nostr/event/index.js'
import { createFrameWriter, eventPrefix } from '../../src/relay/output/frame-writer.js'
import { createOutbox, type Outbox } from '../../src/relay/output/outbox.js'
import type { EventPage } from '../../src/relay/ports.js'
import { createLiveIndex } from '../../src/relay/subscriptions/live-index.js'
import { type Measurement, processorMs } from '../measurement.js'

export const name = 'relay-live'

const RECIPIENTS = 10_000
const hexOf = (number: number): string => number.toString(16).padStart(64, '0')

interface Subscription {
  readonly outbox: Outbox
  readonly prefix: string
}

/** An event and its text of about `bytes` bytes; neither id nor signature are right. */
function anEvent(number: number, kind: number, bytes: number, tags: readonly (readonly string[])[] = []) {
  const event: NostrEvent = {
    id: hexOf(number),
    pubkey: hexOf(number % 500),
    created_at: 1_790_000_000 + number,
    kind,
    tags,
    content: 'x'.repeat(bytes - 350),
    sig: hexOf(number).repeat(2),
  }
  return { event, text: Buffer.from(JSON.stringify(event)) }
}

/** A connection that takes everything at once. */
const frameWriter = createFrameWriter(() => undefined)
const anOutbox = (): Outbox =>
  createOutbox({
    frameWriter,
    write: () => true,
    pendingBytes: () => 0,
    maxPendingBytes: 33_554_432,
    drop: () => undefined,
  })

/** Every event goes to all of 1000 subscriptions on 100 connections. Returns nanoseconds per delivery. */
async function broadcast(): Promise<number> {
  const index = createLiveIndex<Subscription>()
  const authors = Array.from({ length: 500 }, (_, author) => hexOf(author))
  for (let connection = 0; connection < 100; connection += 1) {
    const outbox = anOutbox()
    for (let each = 0; each < 10; each += 1)
      index.add({ outbox, prefix: eventPrefix(`sub${each}`) }, [
        { kinds: [1], authors, since: 1_700_000_000, tags: [] },
      ])
  }
  const events = Array.from({ length: 40 }, (_, number) => anEvent(number, 1, 650))
  const ms = await processorMs(() => deliver(index, events, 10), 20, 5)
  return (ms * 1e6) / (events.length * 1000)
}

/** Each event is for one of so many inboxes on 500 connections. Returns nanoseconds per event. */
async function inboxes(subscriptions: number): Promise<number> {
  const index = createLiveIndex<Subscription>()
  const boxes = Array.from({ length: 500 }, anOutbox)
  for (let inbox = 0; inbox < subscriptions; inbox += 1)
    index.add({ outbox: boxes[inbox % boxes.length] ?? anOutbox(), prefix: eventPrefix('inbox') }, [
      { kinds: [1059], since: 1_700_000_000, tags: [{ letter: 'p', values: [hexOf(inbox)] }] },
    ])
  const events = Array.from({ length: 2000 }, (_, number) =>
    anEvent(number, 1059, 2400, [['p', hexOf((number * 7919) % subscriptions)]]),
  )
  const ms = await processorMs(() => deliver(index, events, 20), 30, 5)
  return (ms * 1e6) / events.length
}

type Deliveries = readonly ReturnType<typeof anEvent>[]

function deliver(index: ReturnType<typeof createLiveIndex<Subscription>>, events: Deliveries, perTurn: number): void {
  let current = Buffer.alloc(0)
  const hit = ({ outbox, prefix }: Subscription) => outbox.event(prefix, current)
  for (const [number, { event, text }] of events.entries()) {
    current = text
    index.match(event, hit)
    if (number % perTurn === perTurn - 1) frameWriter.flush()
  }
  frameWriter.flush()
}

/** Pages of 50 stored events. Returns nanoseconds per event. */
async function pages(): Promise<number> {
  const outbox = anOutbox()
  const texts = Array.from({ length: 50 }, (_, number) => anEvent(number, 1, 800).text)
  const ends: number[] = []
  for (const text of texts) ends.push((ends.at(-1) ?? -1) + text.length + 1)
  const page: EventPage = { bytes: Buffer.concat(texts.flatMap((text) => [text, Buffer.from('\n')])), ends }
  const prefix = eventPrefix('query')
  const ms = await processorMs(() => {
    for (let each = 0; each < 200; each += 1) {
      outbox.events(prefix, page)
      outbox.json(['EOSE', 'query'])
      frameWriter.flush()
    }
  }, 20)
  return (ms * 1e6) / (200 * texts.length)
}

/** Subscriptions that come and go beside 10,000 others. Returns microseconds for one. */
async function comings(): Promise<number> {
  const index = createLiveIndex<number>()
  const filterOf = (key: number) => ({ kinds: [1059], tags: [{ letter: 'p', values: [hexOf(key)] }] })
  for (let inbox = 0; inbox < RECIPIENTS; inbox += 1) index.add(inbox, [filterOf(inbox)])
  const ms = await processorMs(() => {
    for (let key = 0; key < 1000; key += 1) index.add(-key, [filterOf(key)])
    for (let key = 0; key < 1000; key += 1) index.remove(-key)
  }, 20)
  return ms
}

export async function run(): Promise<readonly Measurement[]> {
  const [few, many] = [await inboxes(100), await inboxes(RECIPIENTS)]
  return [
    { what: 'one delivery of a broadcast', value: await broadcast(), unit: 'ns processor' },
    {
      what: 'one event for one of 10,000 inboxes',
      value: many,
      unit: 'ns processor',
      ratio: { to: '100 inboxes', value: many / few },
    },
    { what: 'framing one stored event', value: await pages(), unit: 'ns processor' },
    { what: 'a subscription that comes and goes', value: await comings(), unit: 'µs processor' },
  ]
}
