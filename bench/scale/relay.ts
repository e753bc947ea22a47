// Relays on one log, up to three, beside one alone: events a second until OK, and until a subscriber of another front end has them.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RELAY_LOG_SERVICE } from '../../src/storage/postgres/services.js'
import type { Server } from '../load.js'
import { dial, hangUp, type Line } from '../relay/client/line.js'
import { isAccepted, KEY_LENGTH, keyOfOk, verbOf } from '../relay/client/messages.js'
import { withinTime } from '../relay/client/patience.js'
import { subscribe } from '../relay/client/subscriptions.js'
import { type PackedEvents, packedEvents } from '../relay/data/fresh.js'
import { needSets } from '../relay/databases.js'
import type { RunningRelay } from '../relay/relays/launch.js'
import { type OurOptions, startOurs } from '../relay/relays/ours.js'
import { freshSchema } from './database.js'
import { valuesOf } from './figures.js'
import { type FrontEnds, type Load, type Service, stopAll } from './front-ends.js'
import { readSaved } from './saved.js'

/** Notes that no relay of this run has: all relays get the same ones. */
const MOST = 120_000
let notes: Promise<PackedEvents> | undefined

/** Of an event that comes with the log; from the costs of the model. */
const APPLY_MS = valuesOf(readSaved('scale/measured.json')?.values ?? {}).applyUs / 1000
/** An event waits for the batch that is under way, and for its own. */
const COSTS = { everywhereMs: APPLY_MS, waits: 2 }

const sent = new WeakMap<readonly Server[], number>()

async function nextNotes(servers: readonly Server[], count: number): Promise<PackedEvents> {
  if (!notes) needSets('note')
  notes ??= packedEvents('note', 0, MOST)
  const from = sent.get(servers) ?? 0
  sent.set(servers, from + count)
  const some = (await notes).slice(from, from + count)
  if (some.length < count) throw new RangeError(`more than ${MOST} events: fewer rounds`)
  return some
}

const portOf = ({ url }: Server): number => Number(new URL(url).port)

/** The clients one after the other at the front ends, and around. */
const dialAll = (servers: readonly Server[], clients: number): Promise<readonly Line[]> =>
  Promise.all(Array.from({ length: clients }, (_, at) => dial(portOf(servers[at % servers.length] as Server))))

interface Exchange {
  readonly writers: readonly Line[]
  readonly events: PackedEvents
  /** Calls `done` with what an event is recognised by. `writerOf` gives the index of its client. */
  listen(
    done: (key: string) => void,
    reject: (error: Error) => void,
    writerOf: (key: string) => number | undefined,
  ): void
}

/** Every client sends its next event when the one before is done. */
function exchange({ writers, events, listen }: Exchange): Promise<number> {
  let done = 0
  return withinTime(
    () => `${done} events`,
    (resolve, reject) => {
      let next = 0
      const underway = new Map<string, number>()
      const send = (writer: number): void => {
        if (next === events.length) return
        underway.set(events.key(next), writer)
        writers[writer]?.send(events.frame(next++))
      }
      const finish = (key: string): void => {
        const writer = underway.get(key)
        if (writer === undefined) return
        underway.delete(key)
        done += 1
        if (done === events.length) resolve(done)
        else send(writer)
      }
      listen(finish, reject, (key) => underway.get(key))
      for (const writer of writers.keys()) send(writer)
    },
  )
}

/** Hears every OK; those that refuse end the run. */
function hearOks(writers: readonly Line[], onOk: (key: string) => void, reject: (error: Error) => void): void {
  for (const writer of writers) {
    writer.listen((bytes, start, end) => {
      const isOk = verbOf(bytes, start) === 'OK' && isAccepted(bytes, start)
      if (isOk) onOk(keyOfOk(bytes, start))
      else reject(new Error(bytes.toString('utf8', start, end)))
    })
    writer.ended.then(() => reject(new Error('the relay hung up')))
  }
}

export const toOk: Load = {
  what: 'event to OK',
  answers: { 1: 400, 32: 4000 },
  ...COSTS,
  async prepare(servers, { answers, clients }) {
    const events = await nextNotes(servers, answers)
    const writers = await dialAll(servers, clients)
    return async () => {
      const listen: Exchange['listen'] = (done, reject) => hearOks(writers, done, reject)
      const count = await exchange({ writers, events, listen })
      hangUp(writers)
      return count
    }
  },
}

/** The subscriber of an event is at the front end after its writer's; with one front end, at the same one. */
const toSubscriber: Load = {
  what: 'event to a subscriber of another front end',
  answers: { 1: 400, 32: 2000 },
  ...COSTS,
  async prepare(servers, { answers, clients }) {
    const events = await nextNotes(servers, answers)
    const writers = await dialAll(servers, clients)
    const readers = await dialAll(servers, servers.length)
    const subscriptions = await subscribe(readers, 1, () => ({ kinds: [1], limit: 1 }))
    // Every reader gets every event: only the one at the next front end counts.
    return async () => {
      const listen: Exchange['listen'] = (done, reject, writerOf) => {
        hearOks(writers, () => undefined, reject)
        subscriptions.hear((reader, bytes, start) => {
          const key = keyOfEvent(bytes, start)
          const writer = writerOf(key)
          if (writer !== undefined && (writer + 1) % readers.length === reader) done(key)
        })
      }
      const count = await exchange({ writers, events, listen })
      hangUp([...writers, ...readers])
      return count
    }
  },
}

const ID = Buffer.from('"id":"')

function keyOfEvent(bytes: Buffer, start: number): string {
  const at = bytes.indexOf(ID, start) + ID.length
  return bytes.toString('latin1', at, at + KEY_LENGTH)
}

async function startRelay(folder: string, options: OurOptions = {}): Promise<RunningRelay & Server> {
  const relay = await startOurs(folder, { noteAuthors: 'everyone', ...options })
  return { ...relay, url: `http://127.0.0.1:${relay.port}` }
}

export async function startEmbedded(entry?: string): Promise<FrontEnds> {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-scale-'))
  const relay = await startRelay(folder, entry === undefined ? {} : { entry })
  return { servers: [relay], stop: () => stopAll([relay], folder) }
}

/** Each number of front ends has a log of its own: whatever follows a log applies all of it. */
const startShared = (url: string, counts: readonly number[]): Promise<readonly FrontEnds[]> =>
  Promise.all(
    counts.map(async (count) => {
      const folder = mkdtempSync(join(tmpdir(), 'grinpay-scale-'))
      const schema = await freshSchema(url, RELAY_LOG_SERVICE)
      const toml = ['[log]', `url = ${JSON.stringify(url)}`, `schema = ${JSON.stringify(schema)}`]
      const relays: (RunningRelay & Server)[] = []
      for (let at = 0; at < count; at++) relays.push(await startRelay(join(folder, String(at)), { toml }))
      return { servers: relays, stop: () => stopAll(relays, folder) }
    }),
  )

export const relay: Service = {
  what: 'relay',
  loads: [toOk, toSubscriber],
  startEmbedded: () => startEmbedded(),
  startShared,
}
