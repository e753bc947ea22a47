// Filters while events come in, and answers that are longer than one may be (NIP-01).
import { describe, expect, test } from 'vitest'
import { ids, now, writer } from '../../support/wire-people.js'
import { relays } from './relays.js'

export function describeListening(): void {
  describe('listening', () => {
    const T = now() - 1000

    test('limit 0 goes on with new events', async () => {
      const [client, reader] = [await relays.open.client(), await relays.open.client()]
      const ben = writer()
      await reader.expects(['REQ', 's', { authors: [ben.pubkey], limit: 0 }], [['EOSE', 's']])
      const fresh = ben.event({ kind: 4, created_at: T })
      await client.store(fresh)
      expect(await reader.next()).toEqual(['EVENT', 's', fresh])
    })

    test('conditions hold for new events too', async () => {
      const [client, reader] = [await relays.open.client(), await relays.open.client()]
      const ben = writer()
      // One whose `until` is past waits for no new event.
      const now = Math.floor(Date.now() / 1000)
      const [since, until] = [now - 100, now + 300]
      const filter = { kinds: [8], '#t': ['wanted'], since, until }
      await reader.expects(['REQ', 's', filter], [['EOSE', 's']])
      const tags = [['t', 'wanted']]
      const wanted = ben.event({ kind: 8, created_at: until, tags })
      await client.store(
        ben.event({ kind: 8, created_at: until }),
        ben.event({ kind: 8, created_at: until + 1, tags }),
        ben.event({ kind: 8, created_at: since - 1, tags }),
        ben.event({ kind: 9, created_at: since, tags }),
        wanted,
      )
      expect(await reader.next()).toEqual(['EVENT', 's', wanted])
      await reader.isQuiet()
    })

    test('an empty list fits no new event', async () => {
      const [client, reader] = [await relays.open.client(), await relays.open.client()]
      const ben = writer()
      await reader.expects(['REQ', 's', { kinds: [] }], [['EOSE', 's']])
      await reader.expects(['REQ', 't', { search: 'x' }], [['EOSE', 't']])
      await client.store(ben.event())
      await reader.isQuiet()
    })

    test('more than 500 events are answered with the newest 500', async () => {
      const client = await relays.open.client()
      const who = writer()
      const crowd = Array.from({ length: 510 }, (_, n) => who.event({ kind: 9999, created_at: T - n }))
      for (const event of crowd) client.send(['EVENT', event])
      await client.take(crowd.length)
      const newest = ids(crowd.slice(0, 500))
      expect(await client.ids({ authors: [who.pubkey] })).toEqual(newest)
      expect(await client.ids({ authors: [who.pubkey], limit: 5000 })).toEqual(newest)
      expect(await client.count({ authors: [who.pubkey] })).toEqual({ count: 510 })
    })
  })
}
