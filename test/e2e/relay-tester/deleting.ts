// Deletion (NIP-09), as far as it reaches and no further.
import type { NostrEvent } from 'nostr-tools/pure'
import { now, person, writer } from '../../support/wire-people.js'
import { type Case, must, TESTER, type World } from './world.js'

const isThere = async ({ client }: World, event: NostrEvent): Promise<boolean> =>
  (await client.ids({ ids: [event.id] })).length === 1
const taken = async ({ client }: World, event: NostrEvent): Promise<boolean> => (await client.publish(event))[0]
const version = (d: string, back: number, kind = 30_023): NostrEvent =>
  TESTER.event({ kind, tags: [['d', d]], created_at: now() - back })
const address = (d: string, author = TESTER.pubkey, kind = 30_023): readonly string[] => ['a', `${kind}:${author}:${d}`]

export const DELETING: readonly Case[] = [
  must('by id', async (world) => {
    const event = TESTER.event()
    return (
      (await taken(world, event)) &&
      (await taken(world, TESTER.deletion([['e', event.id]]))) &&
      !(await isThere(world, event))
    )
  }),
  must('by address', async (world) => {
    const event = version('gone', 10)
    return (
      (await taken(world, event)) &&
      (await taken(world, TESTER.deletion([address('gone')]))) &&
      !(await isThere(world, event))
    )
  }),
  must('by address only what is older than the deletion', async (world) => {
    const event = version('newer', 0)
    return (
      (await taken(world, event)) &&
      (await taken(world, TESTER.deletion([address('newer')], now() - 50))) &&
      (await isThere(world, event))
    )
  }),
  must('by address only of that kind and identifier', async (world) => {
    const others = [version('this', 10, 30_024), version('other', 10)]
    for (const event of others) await taken(world, event)
    await taken(world, TESTER.deletion([address('this')]))
    return (await isThere(world, others[0]!)) && (await isThere(world, others[1]!))
  }),
  must('of another author’s event does nothing', async (world) => {
    const event = person('other author').event({ kind: 7 })
    return (
      (await taken(world, event)) &&
      (await taken(world, TESTER.deletion([['e', event.id]]))) &&
      (await isThere(world, event))
    )
  }),
  must('of another author’s address does nothing', async (world) => {
    const other = writer()
    const event = other.event({ kind: 30_078, tags: [['d', 'x']], created_at: now() - 10 })
    return (
      (await taken(world, event)) &&
      (await taken(world, TESTER.deletion([address('x', other.pubkey, 30_078)]))) &&
      (await isThere(world, event))
    )
  }),
  must('what was deleted by id does not come back', async (world) => {
    const event = TESTER.event()
    await taken(world, event)
    await taken(world, TESTER.deletion([['e', event.id]]))
    return !(await taken(world, event)) && !(await isThere(world, event))
  }),
  must('an older version than the deletion by address does not come back', async (world) => {
    await taken(world, version('back', 50))
    await taken(world, TESTER.deletion([address('back')], now() - 20))
    return !(await taken(world, version('back', 30)))
  }),
  must('a newer one than the deletion by address is taken', async (world) => {
    await taken(world, version('again', 50))
    await taken(world, TESTER.deletion([address('again')], now() - 20))
    return taken(world, version('again', 5))
  }),
]
