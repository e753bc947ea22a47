// The judge of the relay's fault rounds is judged: whatever a broken relay or store does, it finds.
import { join } from 'node:path'
import Database from 'libsql'
import { expect, onTestFinished, test } from 'vitest'
import { eventText } from '../../src/nostr/event/index.js'
import { openEventStore } from '../../src/storage/index.js'
import { unhandledIn } from '../faults/relay-kill-rounds.js'
import type { Filter, Line } from '../faults/relay-line.js'
import { emptyRelayLog, type OkReply, type RelayLog } from '../faults/relay-log.js'
import { type Draft, newSociety, type Person, type Signed } from '../faults/relay-people.js'
import { inOrder, matches, questionFaults } from '../faults/relay-questions.js'
import { ruleFaults } from '../faults/relay-rules.js'
import { readStored, type Stored, versionTarget } from '../faults/relay-stored.js'
import { temporaryFolder } from '../support/temporary-store.js'

const NOW = 1_790_000_000
const society = newSociety()
const [ADA, BOB] = society.writers as [Person, Person]
const [THROWN] = society.throwAway as [Person]
const [RECIPIENT] = society.recipients as [Person]
const OK: OkReply = { accepted: true, text: '' }
const no = (text: string): OkReply => ({ accepted: false, text })

const signed = (person: Person, draft: Partial<Draft>): Signed =>
  person.sign({ created_at: NOW - 100, kind: 1, tags: [], content: '', ...draft })
const version = (created_at: number, content = '') => signed(ADA, { kind: 0, created_at, content })
const named = (d: string, created_at: number) => signed(ADA, { kind: 30_078, created_at, tags: [['d', d]] })
const expiring = (at: number) => signed(BOB, { tags: [['expiration', String(at)]] })

const NOTE = signed(ADA, {
  tags: [
    ['t', 'a'],
    ['e', 'f'.repeat(64)],
  ],
  content: 'one',
})
const DELETED = signed(ADA, { content: 'two' })
const DELETION = signed(ADA, { kind: 5, tags: [['e', DELETED.id]] })
const WRAP = signed(THROWN, { kind: 1059, tags: [['p', RECIPIENT.pubkey]], content: 'letter' })
const RECALL = signed(THROWN, { kind: 5, tags: [['e', WRAP.id]] })
const [OLD, YOUNG] = [version(NOW - 90), version(NOW - 80)]
const [FIRST, SECOND] = [named('x', NOW - 90), named('y', NOW - 90)]
const FORGET = signed(ADA, { kind: 5, created_at: NOW - 85, tags: [['a', `30078:${ADA.pubkey}:x`]] })
const [BEFORE, WITHDRAWN] = [named('z', NOW - 75), named('z', NOW - 70)]
const WITHDRAWAL = signed(ADA, { kind: 5, tags: [['e', WITHDRAWN.id]] })
const WITHDRAWN_MARK = `target = '${versionTarget(`30078:${ADA.pubkey}:z`)}'`
const WHISPER = signed(BOB, { kind: 24_133, content: 'now' })
const [LASTING, SHORT] = [expiring(NOW + 500), expiring(NOW - 5)]
const FORGED = { ...signed(BOB, { content: 'forged' }), sig: '0'.repeat(128) }
const [KNOWN, UNKNOWN] = [signed(BOB, { content: 'no answer' }), signed(BOB, { content: 'none either' })]
const DOOMED = signed(society.doomed, { kind: 7 })

interface World {
  readonly path: string
  readonly log: RelayLog
  say(event: Signed, reply: OkReply | undefined, good?: boolean): void
  tamper(...statements: readonly string[]): void
}

/** Everything went as it should, and the store ended in order. */
async function anHonestWorld(): Promise<World> {
  const { folder, remove } = temporaryFolder()
  onTestFinished(remove)
  const path = join(folder, 'relay.db')
  const log = emptyRelayLog()
  const world: World = {
    path,
    log,
    say(event, reply, good = true) {
      const attempt = log.begin(event, good)
      attempt.reply = reply
      if (reply) attempt.endedAt = log.tick()
    },
    tamper(...statements) {
      const db = new Database(path)
      for (const sql of statements) db.exec(sql)
      db.close()
    },
  }
  const store = await openEventStore({ path, clock: { now: () => (NOW - 50) * 1000 } })
  const kept = (...events: readonly Signed[]) => store.append(events.map((event) => eventText(event)!))
  const acknowledged = [
    ...[NOTE, DELETED, WRAP, OLD, YOUNG, FIRST, SECOND, BEFORE, WITHDRAWN],
    ...[DELETION, RECALL, FORGET, WITHDRAWAL, LASTING, DOOMED],
  ]
  kept(...acknowledged, KNOWN)
  for (const event of [...acknowledged, WHISPER, SHORT]) world.say(event, OK)
  world.say(FORGED, no('invalid: bad signature'), false)
  world.say(DELETED, no('deleted: user requested deletion'))
  world.say(OLD, no('replaced: have newer event'))
  for (const event of [KNOWN, UNKNOWN]) world.say(event, undefined)
  const order = log.order(({ pubkey }) => pubkey === society.doomed.pubkey)
  await store.remove([{ authors: [society.doomed.pubkey], tags: [] }])
  order.done = true
  order.endedAt = log.tick()
  log.settle()
  await store.close()
  return world
}

const find = ({ path, log }: World): readonly string[] => {
  const file = readStored(path, true)
  return [...log.faults, ...file.faults, ...ruleFaults(log, file, NOW)]
}

const textOf = ({ id, pubkey, created_at, kind, tags, content, sig }: Signed): string =>
  JSON.stringify({ id, pubkey, created_at, kind, tags, content, sig })
const seqOf = ({ id }: Signed): string => `(SELECT seq FROM event WHERE instr(text, '${id}') = 8)`
const put = (event: Signed, expires: number | null = null): string =>
  `INSERT INTO event VALUES (900, CAST('${textOf(event).replaceAll("'", "''")}' AS BLOB), ${expires})`
const take = (event: Signed): string => `DELETE FROM event WHERE seq = ${seqOf(event)}`
const tampering =
  (...statements: readonly string[]) =>
  ({ tamper }: World): void =>
    tamper(...statements)
const saying =
  (event: Signed, reply: OkReply, good = true) =>
  ({ say }: World): void =>
    say(event, reply, good)

/** How a relay could be broken, and the words that give it away. */
const BREAKS: readonly (readonly [what: string, how: (world: World) => unknown, found: RegExp])[] = [
  ['loses an acknowledged event', tampering(take(NOTE)), /^lost .* of kind 1$/],
  ['lets a gift wrap be recalled by its own key', tampering(take(WRAP)), /^lost .* of kind 1059$/],
  ['loses a deletion', tampering(take(DELETION)), /^lost .* of kind 5$/],
  ['loses the newest version', tampering(take(YOUNG)), /^lost .* of kind 0$/],
  ['keeps the older version', tampering(put(OLD), take(YOUNG)), /^lost .* of kind 0$/],
  ['loses what the operator did not name', tampering(take(SECOND)), /^lost .* of kind 30078$/],
  ['loses what has not expired', tampering(take(LASTING)), /^lost .* of kind 1$/],
  ['keeps two versions', tampering(put(OLD)), /^2 versions of 0:/],
  ['keeps what was deleted', tampering(put(DELETED)), /^kept though deleted/],
  ['keeps what a deletion of its address names', tampering(put(FIRST)), /^kept though deleted/],
  ['keeps what it refused', tampering(put(OLD)), /^kept though refused/],
  ['keeps what is wrong', tampering(put(FORGED)), /^kept though wrong/],
  ['keeps what is ephemeral', tampering(put(WHISPER)), /^kept though ephemeral/],
  ['keeps what the operator had removed', tampering(put(DOOMED)), /^kept though removed by the operator/],
  ['keeps an event that no client sent', tampering(put(signed(BOB, { content: 'x' }))), /^no client sent/],
  ['keeps another text', tampering(take(NOTE), put({ ...NOTE, sig: NOTE.sig.replace(/^./, 'f') })), /^another text/],
  ['keeps a wrong id', tampering(put({ ...NOTE, content: 'y' })), /has not its id/],
  ['keeps an event twice', tampering(put(NOTE)), /^1 events are stored twice/],
  ['keeps another expiry', tampering(`UPDATE event SET expires = 5 WHERE seq = ${seqOf(NOTE)}`), /is kept until 5/],
  ['forgets to sweep', tampering('DELETE FROM expiry'), /^expiry lacks/],
  ['sweeps at another time', tampering('UPDATE expiry SET expires = 5'), /^expiry has a stray row/],
  ['forgets the mark of a deletion', tampering('DELETE FROM deletion WHERE until > 9999999999'), /^deletion lacks/],
  ['marks by itself', tampering("INSERT INTO deletion VALUES ('x', 5, 1)"), /^deletion has a stray row/],
  ['forgets which version was deleted', tampering(`DELETE FROM deletion WHERE ${WITHDRAWN_MARK}`), /^no mark of the/],
  [
    'marks a version that was not deleted',
    tampering(`UPDATE deletion SET until = until + 1 WHERE ${WITHDRAWN_MARK}`),
    /^deletion has a stray row/,
  ],
  [
    'leaves a mark without its deletion',
    tampering(`UPDATE deletion SET seq = ${seqOf(NOTE)} WHERE ${WITHDRAWN_MARK}`),
    /its deletion is not stored/,
  ],
  ['keeps a version older than a deleted one', tampering(put(BEFORE)), /^kept though a later one is gone/],
  ['miscounts', tampering('UPDATE progress SET events = events + 1'), /^it counts \d+ indexed events of \d+/],
  ['ends with events that are not indexed', tampering('UPDATE progress SET indexed = 3'), /left events that are not/],
  ['ends with rows of removed events', tampering("INSERT INTO gone VALUES (900, '{}')"), /left events that are not/],
  ['notes as gone what is there', tampering(`INSERT INTO gone VALUES (${seqOf(NOTE)}, '{}')`), /noted as gone/],
  ['indexes before it said so', tampering('UPDATE progress SET indexed = 0, begun = 0, events = 0'), /before its time/],
  ...(
    [
      ['by_id', 1, NOTE],
      ['by_time', 1, NOTE],
      ['by_kind', 2, NOTE],
      ['by_author', 3, NOTE],
      ['by_tag', 3, NOTE],
      ['by_address', 1, SECOND],
    ] as const
  ).flatMap(([table, columns, owner]) => {
    const strays = Array.from({ length: columns }, () => 7)
    return [
      [
        `loses a row of ${table}`,
        tampering(`DELETE FROM ${table} WHERE seq = ${seqOf(owner)}`),
        new RegExp(`^${table} lacks`),
      ] as const,
      [
        `leaves a row in ${table}`,
        tampering(`INSERT INTO ${table} VALUES (${[...strays, 900].join()})`),
        new RegExp(`^${table} has a stray row`),
      ] as const,
    ]
  }),
  ['damages the file', tampering('PRAGMA writable_schema=ON', BROKEN_SCHEMA()), /^the file is damaged/],
  ['takes what is wrong', saying(FORGED, OK, false), /^it is wrong/],
  ['refuses without a known word', saying(FORGED, no('nope'), false), /^a bad word/],
  ['takes again what was deleted', saying(DELETED, OK), /^it was deleted before/],
  ['takes again what its address forbids', saying(FIRST, OK), /^it was deleted before/],
  ['refuses as deleted what is not deleted', saying(NOTE, no('deleted: x')), /^no client deleted it/],
  ['refuses as deleted a gift wrap', saying(WRAP, no('deleted: x')), /^no client deleted it/],
  ['refuses as replaced what is the newest', saying(YOUNG, no('replaced: x')), /^there is no newer one/],
  ['refuses what is right', saying(NOTE, no('error: x')), /^there is nothing wrong with it/],
  [
    'refuses a deletion of its own author',
    saying(DELETION, no('blocked: only the author x')),
    /^there is nothing wrong with it/,
  ],
]

/** Two tables on the same pages. */
function BROKEN_SCHEMA(): string {
  return "UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'by_kind') WHERE name = 'by_author'"
}

test('an honest relay has no faults', async () => {
  expect(find(await anHonestWorld())).toEqual([])
})

test.each(BREAKS)('it finds a relay that %s', async (_, how, found) => {
  const world = await anHonestWorld()
  await how(world)
  expect(find(world)).toContainEqual(expect.stringMatching(found))
})

type Answers = Pick<Line, 'ask' | 'count' | 'publish'>

/** A relay that answers from what is stored, and knows what was deleted. */
function lineOver(stored: ReadonlyMap<string, Stored>, log: RelayLog): Answers {
  const found = (filters: readonly Filter[]) =>
    [...stored.values()].filter(({ event }) => filters.some((filter) => matches(filter, event)))
  return {
    async ask(...filters) {
      const limit = Number(filters[0]?.limit ?? 500)
      const events = filters.length > 1 ? filters.flatMap((filter) => firstOf(filter)) : firstOf(filters[0]!)
      const once = [...new Map(events.map((event) => [event.id, event])).values()]
      return once.sort(inOrder).slice(0, filters.length > 1 ? 500 : limit) as Signed[]
      function firstOf(filter: Filter) {
        const all = found([filter]).map(({ event }) => event)
        return all.sort(inOrder).slice(0, Number(filter.limit ?? 500))
      }
    },
    count: async (...filters) => found(filters).length,
    async publish({ id }) {
      if (stored.has(id)) return { accepted: true, text: 'duplicate: have this event' }
      const last = log.sent.get(id)?.attempts.findLast(({ reply }) => reply !== undefined)?.reply
      return last?.accepted === false ? last : no('invalid: x')
    },
  }
}

const twisted =
  (twist: (events: readonly Signed[]) => readonly Signed[] | undefined) =>
  (line: Answers): Answers => ({ ...line, ask: async (...filters) => twist((await line.ask(...filters)) ?? []) })

/** How a relay could answer wrongly about a database that is right. */
const LIES: readonly (readonly [what: string, how: (line: Answers) => Answers, found: RegExp])[] = [
  ['the wrong way round', twisted((events) => [...events].reverse()), /^not in order/],
  ['with an event twice', twisted((events) => events.flatMap((event) => [event, event])), /^an event twice/],
  ['without one', twisted((events) => events.slice(1)), /1 of the right ones missing/],
  ['with what was not asked', twisted((events) => [...events, OLD]), /is no answer to/],
  [
    'with what is not stored',
    twisted((events) => [...events, OLD].sort(inOrder)),
    /events, 0 of the right ones missing/,
  ],
  ['not at all', twisted(() => undefined), /^no answer to/],
  ['with another count', (line) => ({ ...line, count: async () => 77 }), /^COUNT is 77/],
  ['with no count', (line) => ({ ...line, count: async () => undefined }), /^COUNT is undefined/],
  [
    'a known event as a new one',
    (line) => ({ ...line, publish: async () => OK }),
    /was answered "" when it came again/,
  ],
  ['a deleted event as a new one', (line) => ({ ...line, publish: async () => OK }), /was deleted, and is taken again/],
  ['no event', (line) => ({ ...line, publish: async () => undefined }), /^no answer to .* sent again/],
]

async function askedOf(how: (line: Answers) => Answers): Promise<readonly string[]> {
  const { path, log } = await anHonestWorld()
  const stored = readStored(path).events
  const alive = new Map([...stored].filter(([, { expires }]) => expires === undefined))
  // Only recent events are sent again, and few of them: all of these.
  log.recent.splice(0, log.recent.length, NOTE, DELETED)
  return questionFaults(how(lineOver(alive, log)) as Line, { log, stored: alive, society })
}

test('a relay that answers rightly has no faults', async () => {
  expect(await askedOf((line) => line)).toEqual([])
})

test.each(LIES)('it finds a relay that answers %s', async (_, how, found) => {
  expect(await askedOf(how)).toContainEqual(expect.stringMatching(found))
})

test.each([
  '{"level":"error","msg":"events cannot be stored"}',
  '{"level":50,"msg":"x"}',
  'Unhandled rejection',
  '    at Object.<anonymous> (file.js:1:1)',
])('%s in its output is a bug', (line) => {
  expect(unhandledIn(`{"level":"info"}\n${line}\n`)).toBe(line)
  expect(unhandledIn('{"level":"info"}\n{"level":"warn"}\n')).toBeUndefined()
})
