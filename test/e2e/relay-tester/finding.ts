// What filters find among events of the tester and of a stranger.
import { type Case, extra, may, must, PERSON, STRANGER, same, sorted, TESTER, type World } from './world.js'

const finds =
  (filter: (world: World) => object, expected: (events: World['events']) => readonly (keyof World['events'])[]) =>
  async (world: World) => {
    const events = expected(world.events).map((name) => world.events[name])
    return same(await world.client.ids(filter(world)), sorted(...events))
  }
const BY = { authors: [TESTER.pubkey] }
const until = ({ events }: World) => Math.max(...Object.values(events).map(({ created_at }) => created_at))

async function isDescending({ client }: World, filter: object): Promise<boolean> {
  client.send(['REQ', 'order', filter])
  const times = (await client.until('EOSE'))
    .slice(0, -1)
    .map(([, , event]) => Number((event as { created_at: number }).created_at))
  client.send(['CLOSE', 'order'])
  return times.length > 2 && times.every((time, n) => n === 0 || time <= Number(times[n - 1]))
}

export const FINDING: readonly Case[] = [
  must('newest first', (world) => isDescending(world, BY)),
  must(
    'the newest when there is a limit',
    finds(
      (world) => ({ ...BY, '#t': ['a', 'b'], kinds: [1, 7], limit: 2, until: until(world) }),
      () => ['reactionA', 'reactionB'],
    ),
  ),
  must(
    'by ids',
    finds(
      ({ events }) => ({ ids: [events.noteA.id, events.people.id] }),
      () => ['noteA', 'people'],
    ),
  ),
  must(
    'by author and kind',
    finds(
      (world) => ({ ...BY, kinds: [7], until: until(world) }),
      () => ['reactionA', 'reactionB'],
    ),
  ),
  must(
    'by author and tag',
    finds(
      () => ({ ...BY, '#p': [PERSON], kinds: [1, 7] }),
      () => ['noteA', 'reactionB'],
    ),
  ),
  must(
    'by kind and tag',
    finds(
      () => ({ kinds: [33_383], '#n': ['approved'] }),
      () => ['listing'],
    ),
  ),
  must(
    'by tag alone',
    finds(
      () => ({ '#k': ['3036'] }),
      () => ['listing'],
    ),
  ),
  must(
    'by several tags, kind, author and limit',
    finds(
      () => ({ ...BY, '#n': ['approved', 'other'], '#d': ['x'], kinds: [33_383], limit: 5 }),
      () => ['listing'],
    ),
  ),
  must('by author', async ({ client }) => (await client.ids({ authors: [STRANGER.pubkey] })).length === 1),
  must('everything, with the empty filter', async ({ client }) => (await client.ids({})).length > 10),
  must('since and until are included', async ({ client, events: { people } }) => {
    const isFound = async (bound: object) => (await client.ids({ ...BY, kinds: [30_000], ...bound })).length === 1
    return (await isFound({ since: people.created_at })) && (await isFound({ until: people.created_at }))
  }),
  must('a limit of nothing', async ({ client }) => (await client.ids({ ...BY, limit: 0 })).length === 0),
  may('subscriptions to ephemeral events', async ({ relay, client }) => {
    const reader = await relay.client()
    reader.send(['REQ', 's', { ...BY, kinds: [20_300] }])
    await reader.until('EOSE')
    await client.store(TESTER.event({ kind: 20_300 }))
    return (await reader.next())[0] === 'EVENT'
  }),
  may(
    'ephemeral events are kept',
    async ({ client }) => {
      await client.store(TESTER.event({ kind: 20_301 }))
      return (await client.ids({ ...BY, kinds: [20_301] })).length === 1
    },
    'NIP-01: relays do not store them',
  ),
  extra(
    'limits of several filters',
    async ({ client, events }) =>
      (await client.ids({ ids: [events.noteA.id], limit: 1 }, { ids: [events.noteB.id, events.noteC.id], limit: 1 }))
        .length === 2,
  ),
  extra('an event that comes after EOSE comes once', async ({ relay, client }) => {
    const reader = await relay.client()
    reader.send(['REQ', 's', { ...BY, kinds: [1063] }, { kinds: [1063] }])
    await reader.until('EOSE')
    await client.store(TESTER.event({ kind: 1063 }))
    await reader.next()
    await reader.isQuiet()
    return true
  }),
  extra('a long list of contacts', async ({ client }) => {
    const tags = Array.from({ length: 1500 }, (_, n) => ['p', n.toString(16).padStart(64, '0')])
    return (await client.publish(TESTER.event({ kind: 30_005, tags: [['d', 'many'], ...tags] })))[0]
  }),
  extra('the beginning of an id finds nothing', async ({ relay, events }) => {
    const client = await relay.client()
    client.send(['REQ', 's', { ids: [events.noteA.id.slice(0, 20)] }])
    return (await client.next())[0] === 'CLOSED'
  }),
  extra('who hangs up may come again at once', async ({ relay }) => {
    for (let times = 0; times < 5; times++) (await relay.client()).close()
    return (await (await relay.client()).ids({ ids: [] })).length === 0
  }),
]
