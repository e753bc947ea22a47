// What the relay takes and gives back as it was: texts, times, versions.
import { createHash } from 'node:crypto'
import { schnorr } from '@noble/curves/secp256k1.js'
import { finalizeEvent } from 'nostr-tools/pure'
import { now, type Template } from '../../support/wire-people.js'
import { type Case, extra, may, must, same, TESTER, type World } from './world.js'

/** Whether an event is taken and comes back unchanged. */
async function returns({ client }: World, template: Template): Promise<boolean> {
  const event = TESTER.event(template)
  const [accepted] = await client.publish(event)
  if (!accepted) return false
  client.send(['REQ', 'back', { ids: [event.id] }])
  const back = await client.until('EOSE')
  client.send(['CLOSE', 'back'])
  return JSON.stringify(back[0]?.[2]) === JSON.stringify(event) || sameMembers(back[0]?.[2], event)
}

const sameMembers = (a: unknown, b: object): boolean =>
  typeof a === 'object' &&
  a !== null &&
  Object.entries(b).every(([name, value]) => JSON.stringify(Reflect.get(a, name)) === JSON.stringify(value))

/** Whether an event is taken whose message was written in another way. */
async function takesAs({ client }: World, template: Template, rewrite: (text: string) => string): Promise<boolean> {
  const event = TESTER.event(template)
  client.send(rewrite(JSON.stringify(['EVENT', event])))
  const [verb, id, accepted] = await client.next()
  return verb === 'OK' && id === event.id && accepted === true
}

/** Whether an event is taken whose members are written as they stand here, and whose id is the hash of exactly that text. */
async function takesWritten({ client }: World, { created_at = String(now()), content = '' }): Promise<boolean> {
  const form = `[0,"${TESTER.pubkey}",${created_at},1,[],"${content}"]`
  const id = createHash('sha256').update(form).digest()
  const sig = Buffer.from(schnorr.sign(id, TESTER.secret)).toString('hex')
  const members = `"created_at":${created_at},"kind":1,"tags":[],"content":"${content}","sig":"${sig}"`
  client.send(`["EVENT",{"id":"${id.toString('hex')}","pubkey":"${TESTER.pubkey}",${members}}]`)
  const [verb, answered, accepted, text] = await client.next()
  if (verb !== 'OK' || answered !== id.toString('hex') || (!accepted && !String(text).startsWith('invalid: ')))
    throw new Error(`answered with ${verb} ${answered} ${text}`)
  return accepted === true
}

const YEAR = 31_536_000
const LAST_TIME = 'times end with 32 bits, in 2106'
const TIMES: readonly (readonly [string, () => number, string?])[] = [
  ['a month old', () => now() - 2_592_000],
  ['a year old', () => now() - YEAR],
  ['older than Nostr', () => 1_577_836_800],
  ['older than 2000', () => 915_148_800],
  ['of 1970', () => 1],
  ['a year ahead', () => now() + YEAR],
  ['beyond 31 bits', () => 2 ** 31 + 1],
  ['beyond 32 bits', () => 2 ** 32 + 1, LAST_TIME],
]

/** Whether a newer version takes the place of an older one. */
async function replaces({ client }: World, kind: number, tags: string[][] = []): Promise<boolean> {
  const [old, fresh] = [100, 0].map((back) => TESTER.event({ kind, tags, created_at: now() - back }))
  const accepted = (await client.publish(old!))[0] && (await client.publish(fresh!))[0]
  return accepted && same(await client.ids({ kinds: [kind], authors: [TESTER.pubkey] }), [fresh!])
}

async function keepsReplaced({ client }: World, kind: number): Promise<boolean> {
  const [old, fresh] = [10, 0].map((back) => TESTER.event({ kind, created_at: now() + 100 - back }))
  await client.store(old!, fresh!)
  return (await client.ids({ ids: [old!.id] })).length === 1
}

async function refusesOlder({ client }: World, kind: number, tags: string[][] = []): Promise<boolean> {
  const [fresh, old] = [0, 100].map((back) => TESTER.event({ kind, tags, created_at: now() + 500 - back }))
  await client.store(fresh!)
  const [accepted] = await client.publish(old!)
  return !accepted && same(await client.ids({ kinds: [kind], authors: [TESTER.pubkey] }), [fresh!])
}

const ONE_VERSION = 'an older version is gone once there is a newer one'

export const KEEPING: readonly Case[] = [
  must('the escapes of NIP-01', (world) =>
    returns(world, { content: 'break\n quote" stroke\\ return\r tab\t back\b feed\f' }),
  ),
  may(
    'escapes of other characters, with an id over the text as it was written',
    (world) => takesWritten(world, { content: '\\u0000\\u0007 \\u000b \\u0016 \\/' }),
    'the id is the hash of the form of NIP-01, in which a slash has no escape',
  ),
  may(
    'raw control characters',
    (world) => takesWritten(world, { content: 'line\nreturn\rtab\tback\bfeed\fend' }),
    'that is no JSON (RFC 8259); the OK says so',
  ),
  extra('escapes of other characters', (world) =>
    takesAs(world, { content: 'nothing\u0000 slash/ letter a' }, (text) =>
      text.replace('slash/ letter a', 'slash\\/ letter \\u0061'),
    ),
  ),
  extra('letters as they are', (world) => returns(world, { content: 'delete\u007f é € 🐢 \u2028' })),
  must('characters that are none', (world) => returns(world, { content: 'a\ufdd1b\u{10fff2}c' })),
  must('an event of a week ago', (world) => returns(world, { created_at: now() - 604_800 })),
  ...TIMES.map(([name, time, declined]) =>
    may(`an event ${name}`, (world) => returns(world, { created_at: time() }), declined),
  ),
  may(
    'an event of before 1970',
    async ({ client }) => {
      const event = finalizeEvent({ kind: 1, created_at: -1000, tags: [], content: 'early' }, TESTER.secret)
      return (await client.publish(event))[0]
    },
    'times are not negative',
  ),
  may(
    'an event of the last second of 63 bits',
    (world) => takesWritten(world, { created_at: '9223372036854775807' }),
    LAST_TIME,
  ),
  may(
    'a time in scientific notation, with an id over the text as it was written',
    (world) => takesWritten(world, { created_at: '1e+10' }),
    `ids are hashes of whole numbers; ${LAST_TIME}`,
  ),
  extra('a time in scientific notation', (world) =>
    takesAs(world, { created_at: 1_700_000_000 }, (text) => text.replace('1700000000', '1.7e9')),
  ),
  may('an event with empty tags', (world) => returns(world, { tags: [[], []] })),
  must('a profile is taken', (world) => returns(world, { kind: 0, created_at: now() - 200 })),
  must('a profile is replaced', (world) => replaces(world, 0)),
  must('contacts are taken', (world) => returns(world, { kind: 3, created_at: now() - 200 })),
  must('contacts are replaced', (world) => replaces(world, 3)),
  extra('a replaced profile is found by its id', (world) => keepsReplaced(world, 0), ONE_VERSION),
  may('replaced contacts are found by their id', (world) => keepsReplaced(world, 3), ONE_VERSION),
  must('a replaceable event takes the place of the one before', (world) => replaces(world, 10_003)),
  must('an older replaceable event is refused', (world) => refusesOlder(world, 10_004)),
  must('an addressable event takes the place of the one before', (world) => replaces(world, 30_001, [['d', 'set']])),
  must('an older addressable event is refused', (world) => refusesOlder(world, 30_002, [['d', 'set']])),
  must('a replaceable event is found by kind and author', async ({ client }) => {
    const event = TESTER.event({ kind: 10_005 })
    await client.store(event)
    return same(await client.ids({ kinds: [10_005], authors: [TESTER.pubkey] }), [event])
  }),
  must('an addressable event is found by kind and author', async ({ client }) => {
    const event = TESTER.event({ kind: 30_004, tags: [['d', 'x']] })
    await client.store(event)
    return same(await client.ids({ kinds: [30_004], authors: [TESTER.pubkey] }), [event])
  }),
]
