// What the relay takes and gives back as it was: texts, times, versions.
import { finalizeEvent } from 'nostr-tools/pure'
import { now, type Template } from '../../support/wire-people.js'
import { type Case, may, must, same, TESTER, type World } from './world.js'

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

const YEAR = 31_536_000
const TIMES: readonly (readonly [string, () => number, string?])[] = [
  ['a month old', () => now() - 2_592_000],
  ['a year old', () => now() - YEAR],
  ['older than Nostr', () => 1_577_836_800],
  ['older than 2000', () => 915_148_800],
  ['of 1970', () => 1],
  ['a year ahead', () => now() + YEAR],
  ['far ahead', () => 4_000_000_000],
  ['beyond 31 bits', () => 2 ** 31 + 1],
  ['beyond 32 bits', () => 2 ** 32 + 1, 'times end with 32 bits, in 2106'],
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
  may('escapes of other characters', (world) =>
    takesAs(world, { content: 'nothing\u0000 slash/ letter a' }, (text) =>
      text.replace('slash/ letter a', 'slash\\/ letter \\u0061'),
    ),
  ),
  may('letters as they are', (world) => returns(world, { content: 'delete\u007f é € 🐢 \u2028' })),
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
  may('a time in scientific notation', (world) =>
    takesAs(world, { created_at: 1_700_000_000 }, (text) => text.replace('1700000000', '1.7e9')),
  ),
  may('an event with empty tags', (world) => returns(world, { tags: [[], []] }), 'a tag has at least a name (NIP-01)'),
  must('a profile is taken and replaced', (world) => replaces(world, 0)),
  must('contacts are taken and replaced', (world) => replaces(world, 3)),
  may('a replaced profile is found by its id', (world) => keepsReplaced(world, 0), ONE_VERSION),
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
