// How the relay presents itself and talks: its document, EOSE, OK, AUTH.
import { authEvent, type Proof } from '../../support/wire-auth.js'
import { now, person } from '../../support/wire-people.js'
import { type Case, may, must, STRANGER, TESTER, type World } from './world.js'

const CLAIMS: readonly (readonly [number, string?])[] = [
  [4],
  [9],
  [11],
  [26, 'no delegation'],
  [29, 'no groups'],
  [40],
  [42],
  [45],
  [50, 'search is off by default'],
  [59],
  [65],
  [94, 'nothing for a relay to do'],
  [96, 'no files'],
]

async function proving(
  { relay }: World,
  changes: (challenge: string) => Partial<Proof>,
  who = TESTER,
): Promise<boolean> {
  const client = await relay.client()
  const challenge = await client.challenge()
  const [accepted] = await client.publish(
    authEvent(who, { relay: relay.address, challenge, ...changes(challenge) }),
    'AUTH',
  )
  return accepted
}

const writes = async ({ relay }: World, kind: number): Promise<boolean> =>
  (await (await relay.client()).publish(person(`public ${kind}`).event({ kind })))[0]

export const TALKING: readonly Case[] = [
  may('a document', async ({ document }) => Array.isArray(document.supported_nips)),
  ...CLAIMS.map(([nip, declined]) =>
    may(`claims NIP-${nip}`, async ({ document }) => document.supported_nips?.includes(nip) === true, declined),
  ),
  may('asks for AUTH on connecting', async ({ relay }) => (await (await relay.client()).challenge()) !== ''),
  must('EOSE', async ({ relay }) => {
    const client = await relay.client()
    client.send(['REQ', 's', { ids: ['0'.repeat(64)] }])
    return (await client.next())[0] === 'EOSE'
  }),
  may(
    'closes a subscription that can bring nothing more',
    async ({ relay, events }) => {
      const client = await relay.client()
      client.send(['REQ', 's', { ids: [events.noteA.id] }])
      await client.until('EOSE')
      client.send(['WHAT?'])
      return (await client.next())[0] === 'CLOSED'
    },
    'an event can be deleted and come again, and a subscription costs nothing',
  ),
  must('keeps a subscription open after EOSE', async ({ relay, client }) => {
    const reader = await relay.client()
    const event = TESTER.event({ kind: 4 })
    reader.send(['REQ', 's', { authors: [TESTER.pubkey], kinds: [4], limit: 0 }])
    await reader.until('EOSE')
    await client.store(event)
    return (await reader.next())[0] === 'EVENT'
  }),
  may('the public writes notes', (world) => writes(world, 1)),
  may('the public writes relay lists', (world) => writes(world, 10_002)),
  may('the public writes lists of relays for messages', (world) => writes(world, 10_050)),
  may('the public writes ephemeral events', (world) => writes(world, 20_100)),
  must('OK after EVENT', async ({ client }) => (await client.publish(TESTER.event()))[0]),
  must('refuses a signature of zeros', async ({ client }) => {
    const event = { ...TESTER.event(), sig: '0'.repeat(128) }
    return !(await client.publish(event))[0]
  }),
  must('refuses an id that is not that of the event', async ({ client }) => {
    const [event, other] = [TESTER.event(), TESTER.event({ content: 'other' })]
    return !(await client.publish({ ...event, id: other.id, sig: other.sig } as typeof event))[0]
  }),
  must('refuses AUTH of another kind', async (world) => !(await proving(world, () => ({ kind: 22_243 })))),
  must(
    'refuses AUTH for another relay',
    async (world) => !(await proving(world, () => ({ relay: 'wss://other.example' }))),
  ),
  must('refuses AUTH with another challenge', async (world) => !(await proving(world, () => ({ challenge: 'no' })))),
  must('refuses AUTH of an hour ago', async (world) => !(await proving(world, () => ({ created_at: now() - 3600 })))),
  may('takes AUTH of a key that it does not know', (world) => proving(world, () => ({}), STRANGER)),
]
