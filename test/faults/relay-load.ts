// The load of a relay in its fault rounds: several clients that publish batches of everything there is, and others that ask and listen.
import { setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { type Line, openLine } from './relay-line.js'
import type { RelayLog } from './relay-log.js'
import { type Draft, type Person, type Signed, type Society, sampleOf } from './relay-people.js'
import { answerFaults } from './relay-questions.js'
import { missingFrom } from './relay-seen.js'
import { dearQuestion, someQuestion } from './relay-shapes.js'

export interface LoadParts {
  readonly url: string
  readonly log: RelayLog
  readonly society: Society
  readonly stop: AbortSignal
  readonly writers: number
  readonly readers: number
  /** Mean milliseconds between two batches of a client. */
  readonly paceMs: number
  /** How often, of 1, a client ends its connection between two batches. */
  readonly restless?: number
  /** Clients that prove keys (NIP-42). */
  readonly provers?: number
  /** Called with every answer to an event. */
  readonly answered?: () => void
}

interface Wanted {
  readonly event: Signed
  readonly good: boolean
}

/** What clients sign as the relay's address; set where keys are proven. */
export const AUTH_URL = 'wss://relay.example'

const chance = (share: number): boolean => Math.random() < share
const oneOf = <T>(all: readonly T[]): T => all[Math.floor(Math.random() * all.length)]!
const now = () => Math.floor(Date.now() / 1000)
const DAY = 86_400
const LONGEST_BATCH = 12
const FILL_BATCH = 250

/** Content that is different each time. */
const words = (length: number): string => `${Math.random()} ü "\n" `.padEnd(length, 'abcdefgh ')

/** How many of a hundred events are of which sort. */
const SORTS: readonly (readonly [share: number, make: (society: Society, log: RelayLog) => readonly Wanted[]])[] = [
  [28, ({ writers }) => [good(oneOf(writers), { kind: 1, tags: [['t', `t${now() % 5}`]], content: words(150) })]],
  [8, ({ writers }, log) => [good(oneOf(writers), { kind: oneOf([7, 1111]), tags: aboutSome(log), content: '+' })]],
  [20, (society) => [aWrap(society)]],
  [8, ({ writers }) => [good(oneOf(writers), { kind: oneOf([0, 10_002]), created_at: around(), content: words(60) })]],
  [8, ({ writers }) => [anAddressable(oneOf(writers))]],
  [6, ({ writers }, log) => [aDeletion(oneOf(writers), log)]],
  [2, ({ throwAway }, log) => [aDeletion(oneOf(throwAway), log)]],
  [2, ({ writers }) => [anAddressDeletion(oneOf(writers))]],
  [4, ({ writers }) => [good(oneOf(writers), { kind: oneOf([24_133, 27_235]), content: words(30) })]],
  [4, ({ writers }) => [expiring(oneOf(writers), 1 + Math.floor(Math.random() * 12))]],
  [6, (_, log) => sampleOf(log.recent, 3).map((event) => ({ event, good: log.sent.get(event.id)?.good === true }))],
  [2, ({ writers }) => [good(oneOf(writers), { kind: 7, created_at: now() - 3 * DAY, content: 'old' })]],
  [2, ({ doomed }) => [good(doomed, { kind: 7, tags: [['t', 'doomed']], content: words(20) })]],
  [4, (society) => [aWrongOne(society)]],
]

const good = (person: Person, draft: Partial<Draft>): Wanted => ({
  event: person.sign({ created_at: now(), kind: 1, tags: [], content: '', ...draft }),
  good: true,
})

/** Versions come out of order, and several of one second. */
const around = (): number => now() - Math.floor(Math.random() * 6)

const aboutSome = (log: RelayLog) => sampleOf(log.recent, 1).map(({ id }) => ['e', id])

const anAddressable = (person: Person): Wanted =>
  good(person, { kind: 30_078, created_at: around(), tags: [['d', `d${Math.floor(Math.random() * 12)}`]] })

function aWrap({ throwAway, recipients }: Society): Wanted {
  const created_at = now() - Math.floor(Math.random() * 2.9 * DAY)
  const tags = [['p', oneOf(recipients).pubkey]]
  return good(oneOf(throwAway), { kind: 1059, created_at, tags, content: words(chance(0.02) ? 60_000 : 700) })
}

/** Of up to three events of this author, or of another, which has no effect. */
function aDeletion(person: Person, log: RelayLog): Wanted {
  const own = log.recent.filter(({ pubkey }) => pubkey === person.pubkey)
  const targets = [...sampleOf(own, 2), ...(chance(0.2) ? sampleOf(log.recent, 1) : [])]
  return good(person, { kind: 5, tags: [...new Set(targets)].map(({ id }) => ['e', id]) })
}

function anAddressDeletion(person: Person): Wanted {
  const address = chance(0.3) ? `0:${person.pubkey}:` : `30078:${person.pubkey}:d${Math.floor(Math.random() * 12)}`
  return good(person, { kind: 5, created_at: around(), tags: [['a', address]] })
}

export const expiring = (person: Person, inSeconds: number): Wanted =>
  good(person, { tags: [['expiration', String(now() + inSeconds)]], content: words(40) })

function aWrongOne(society: Society): Wanted {
  const { event } = good(oneOf(society.writers), { content: words(50) })
  const flipped = (hex: string): string => (hex.startsWith('0') ? '1' : '0') + hex.slice(1)
  const wrongs: readonly (() => Signed)[] = [
    () => ({ ...event, sig: flipped(event.sig) }),
    () => ({ ...event, id: flipped(event.id) }),
    () => good(society.stranger, {}).event,
    () => good(oneOf(society.writers), { kind: 4 }).event,
    () => good(oneOf(society.writers), { created_at: now() + 5000 }).event,
    () =>
      good(oneOf(society.throwAway), {
        kind: 1059,
        tags: [
          ['p', event.pubkey],
          ['expiration', '9999999999'],
        ],
      }).event,
    () => expiring(oneOf(society.writers), -5).event,
  ]
  return { event: oneOf(wrongs)(), good: false }
}

const TOTAL = SORTS.reduce((sum, [share]) => sum + share, 0)

function someEvents({ society, log }: LoadParts): readonly Wanted[] {
  let left = Math.random() * TOTAL
  for (const [share, make] of SORTS) {
    left -= share
    if (left < 0) return make(society, log)
  }
  return []
}

/** One event; the log knows from before it leaves until its answer. */
export async function publish(line: Line, log: RelayLog, { event, good: isGood }: Wanted): Promise<void> {
  const attempt = log.begin(event, isGood)
  const reply = await line.publish(event)
  if (!reply) return
  attempt.reply = reply
  attempt.endedAt = log.tick()
}

async function keepWriting(parts: LoadParts, line: Line): Promise<void> {
  const { log, stop, paceMs, restless = 0, answered } = parts
  while (!stop.aborted && line.socket.readyState === line.socket.OPEN && !chance(restless)) {
    const batch = Array.from({ length: 1 + Math.floor(Math.random() * LONGEST_BATCH) }, () => someEvents(parts)).flat()
    await Promise.all(batch.map((wanted) => publish(line, log, wanted).then(answered)))
    await pause(paceMs * 2 * Math.random())
  }
}

async function keepAsking({ society, log, stop, paceMs, restless = 0 }: LoadParts, line: Line): Promise<void> {
  const listened = new Set<string>()
  const filter = { kinds: [1, 1059], limit: 30 }
  line.listen([filter], (event) => {
    if (!event) return
    if (listened.has(event.id)) log.faults.push(`${event.id} came twice to one subscription`)
    listened.add(event.id)
  })
  while (!stop.aborted && line.socket.readyState === line.socket.OPEN && !chance(restless)) {
    const filters = someQuestion(society, log)
    const askedAt = log.tick()
    const events = await line.ask(...filters)
    if (events)
      log.faults.push(...answerFaults(filters, events), ...missingFrom({ filters, events, askedAt }, log, society))
    if (chance(0.2)) line.leave(dearQuestion(society), chance(0.5) ? 0 : Math.random() * 20)
    if (chance(0.3)) await line.count(...filters)
    await pause(paceMs * 2 * Math.random())
  }
}

/** Asks for much and reads nothing, until the relay drops it, it loses patience, or the load ends. */
async function readSlowly({ stop, restless = 0 }: LoadParts, line: Line): Promise<void> {
  line.socket.pause()
  for (let at = 0; at < 15; at += 1) line.listen([{ limit: 500 }], () => undefined)
  while (!stop.aborted && line.socket.readyState === line.socket.OPEN && !chance(restless / 2)) await pause(200)
}

/** Proves keys, some of them wrongly, as a wallet with several identities does. */
async function keepProving({ society, log, stop, paceMs }: LoadParts, line: Line): Promise<void> {
  const challenge = await Promise.race([line.challenge, line.ended])
  if (!challenge) return
  for (const person of sampleOf(society.recipients, 3)) {
    if (stop.aborted) return
    const isRight = chance(0.8)
    const tags = [
      ['relay', AUTH_URL],
      ['challenge', isRight ? challenge : 'another'],
    ]
    const reply = await line.publish(person.sign({ kind: 22_242, created_at: now(), tags, content: '' }), 'AUTH')
    if (reply && reply.accepted !== isRight) log.faults.push(`a proof was answered ${reply.accepted} "${reply.text}"`)
    await line.ask({ kinds: [1059], '#p': [person.pubkey], limit: 20 })
    await pause(paceMs * 10 * Math.random())
  }
}

/** Notes before the load: with this many stored events, reader threads are asked. */
export async function fill(
  line: Line,
  { log, society }: Pick<LoadParts, 'log' | 'society'>,
  events: number,
): Promise<void> {
  for (let left = events; left > 0; left -= FILL_BATCH) {
    const batch = Array.from({ length: Math.min(left, FILL_BATCH) }, () => aNote(society))
    await Promise.all(batch.map((wanted) => publish(line, log, wanted)))
  }
}

const aNote = ({ writers }: Society): Wanted =>
  good(oneOf(writers), { created_at: now() - Math.floor(Math.random() * DAY), tags: [['t', 't1']], content: words(80) })

/** Runs until `stop`, or until the relay is gone and `restless` clients cannot connect any more. */
export async function keepLoading(parts: LoadParts): Promise<void> {
  const { url, log, writers, readers, provers = 0, stop, restless } = parts
  async function live(act: (parts: LoadParts, line: Line) => Promise<void>): Promise<void> {
    do {
      const line = await openLine(url, (asked) => log.faults.push(`no answer to ${asked}`)).catch(() => undefined)
      if (!line) return
      const end = () => line.close()
      stop.addEventListener('abort', end, { once: true })
      await act(parts, line)
      stop.removeEventListener('abort', end)
      line.close()
      await line.ended
    } while (restless !== undefined && !stop.aborted)
  }
  setMaxListeners(0, stop)
  await Promise.all([
    ...Array.from({ length: writers }, () => live(keepWriting)),
    ...Array.from({ length: readers }, () => live(keepAsking)),
    ...Array.from({ length: provers }, () => live(keepProving)),
    live(readSlowly),
  ])
}
