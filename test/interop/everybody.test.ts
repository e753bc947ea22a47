// Our relay as the setup opens it to everybody, with three clients that were not written for it.
import type { Filter } from 'nostr-tools'
import type { NostrEvent } from 'nostr-tools/pure'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toHex } from '../../src/lib/bytes.js'
import { now, type Person, person, wrapFor } from '../support/wire-people.js'
import { type ClientDriver, drive } from './client-driver.js'
import { EPHEMERAL, IN_2019, questionsTo, strangeTo } from './everybody-events.js'
import { startWizardRelay, type WizardRelay } from './everybody-relay.js'
import { missingClient } from './foreign-clients.js'
import { driveNostrTools } from './nostr-tools-driver.js'

const CLIENTS = [
  { client: 'rust-nostr', missing: missingClient('rust-nostr'), open: (url: string) => drive('rust-nostr', url) },
  { client: 'go-nostr', missing: missingClient('go-nostr'), open: (url: string) => drive('go-nostr', url) },
  { client: 'nostr-tools', missing: undefined, open: driveNostrTools },
] as const

const VARIANTS = [
  { words: 'as the setup writes it', privateWraps: false, search: false },
  { words: 'with search, and gift wraps for their recipients', privateWraps: true, search: true },
] as const

const byId = (events: readonly NostrEvent[]): readonly NostrEvent[] =>
  [...events].sort((a, b) => (a.id < b.id ? -1 : 1))

for (const { client, missing, open } of CLIENTS) {
  describe.skipIf(missing)(`${client}${missing ? ` (skipped: ${missing})` : ''}`, () => {
    test('the payments profile refuses what the tests below publish', async () => {
      const relay = await startWizardRelay({ profile: 'payments' })
      const driver = open(relay.address)
      const refused: Record<string, string> = {}
      for (const event of strangeTo(person(`${client} payments`)))
        refused[`${event.kind} of ${event.created_at === IN_2019 ? 2019 : 'now'}`] = await driver.publish(event)
      expect(refused).toEqual({
        '1 of now': expect.stringMatching(/blocked|restricted/),
        '7 of now': '',
        '30023 of now': expect.stringMatching(/blocked|restricted/),
        '20001 of now': expect.stringMatching(/blocked|restricted/),
        '1 of 2019': expect.stringMatching(/invalid|blocked|restricted/),
        '1984 of now': expect.stringMatching(/blocked|restricted/),
        '54321 of now': expect.stringMatching(/blocked|restricted/),
      })
      await driver.close()
      await relay.remove()
    })

    describe.each(VARIANTS)('everybody, $words', ({ privateWraps, search }) => {
      let relay: WizardRelay
      let driver: ClientDriver
      const one = (name: string): Person => person(`${client} ${search} ${name}`)
      beforeAll(async () => {
        relay = await startWizardRelay({ profile: 'everybody', privateWraps, search })
        driver = open(relay.address)
      })
      afterAll(async () => {
        await driver?.close()
        await relay?.remove()
      })
      async function publishAll(events: readonly NostrEvent[]): Promise<void> {
        for (const event of events) expect([event.kind, await driver.publish(event)]).toEqual([event.kind, ''])
      }

      test('publishes every kind of any age, hears it live and finds it, all but the ephemeral', async () => {
        const author = one('author')
        const [events, filter] = [strangeTo(author), { authors: [author.pubkey] }]
        await driver.listen(filter)
        await publishAll(events)
        expect(byId(await driver.heard(events.length))).toEqual(byId(events))
        const stored = events.filter(({ kind }) => kind !== EPHEMERAL)
        expect(byId(await driver.query(filter))).toEqual(byId(stored))
        expect(await driver.count(filter)).toBe(stored.length)
      })

      test('finds with every member of a filter, and counts', async () => {
        const { events, cases, placesOf } = questionsTo(one('asked'))
        await publishAll(events)
        const seen: Record<string, object> = {}
        for (const [name, [filter]] of Object.entries(cases)) {
          const { limit, ...whole } = filter
          seen[name] = [placesOf(await driver.query(filter)), limit === undefined ? await driver.count(whole) : '-']
        }
        const expected = Object.entries(cases).map(([name, [{ limit }, places]]) => [
          name,
          [places, limit === undefined ? places.length : '-'],
        ])
        expect(seen).toEqual(Object.fromEntries(expected))
      })

      test('replaces by newer versions, and deletes by id and by address', async () => {
        const author = one('replacing')
        const versions = (kind: number, d: string) =>
          [300, 200].map((ago) => author.event({ kind, created_at: now() - ago, tags: [['d', d]] }))
        const all = [versions(0, ''), versions(10_777, ''), versions(30_023, 'page'), versions(39_999, 'x')]
        const newest = all.flatMap(([, newer]) => newer ?? [])
        await publishAll(all.flat())
        const filter = { authors: [author.pubkey], kinds: [0, 10_777, 30_023, 39_999] }
        expect(byId(await driver.query(filter))).toEqual(byId(newest))
        for (const [older] of all)
          if (older) expect(await driver.publish(older)).toContain('replaced: have newer event')

        const [profile, list, page, thing] = newest as [NostrEvent, NostrEvent, NostrEvent, NostrEvent]
        const tags = [
          ['e', profile.id],
          ['a', `30023:${author.pubkey}:page`],
        ]
        await publishAll([author.deletion(tags)])
        expect(byId(await driver.query(filter))).toEqual(byId([list, thing]))
        for (const event of [profile, page])
          expect(await driver.publish(event)).toContain('deleted: user requested deletion')
        await publishAll([page, profile].map(({ kind, tags }) => author.event({ kind, tags, created_at: now() + 5 })))
        expect(await driver.count(filter)).toBe(4)
      })

      test(search ? 'searches' : 'gets nothing for a search, because it is off', async () => {
        const author = one('writer of words')
        const [note, article, profile] = [
          author.event({ content: 'The quick brown fox, naïvely' }),
          author.event({
            kind: 30_023,
            tags: [
              ['d', 'fox'],
              ['title', 'Foxes'],
            ],
            content: 'brown and quick',
          }),
          author.event({ kind: 0, content: '{"name":"foxy","about":"東京の狐"}' }),
        ] as const
        await publishAll([note, article, profile])
        const authors = [author.pubkey]
        const find = async (filter: Filter) => byId(await driver.query({ authors, ...filter }))
        const among = (...found: NostrEvent[]) => (search ? byId(found) : [])
        expect(await find({ search: 'BROWN quick' })).toEqual(among(note, article))
        expect(await find({ search: 'brown', kinds: [1] })).toEqual(among(note))
        expect(await find({ search: 'naively' })).toEqual(among(note))
        expect(await find({ search: 'fox', kinds: [0, 30_023] })).toEqual(among(article, profile))
        expect(await find({ search: '東京' })).toEqual(among(profile))
        expect(await find({ search: 'wolf' })).toEqual([])
      })

      test('reconciles 300 events of many kinds until both sides have them all', async () => {
        const author = one('reconciled')
        const kinds = [1, 7, 30_023, 1984, 54_321]
        const events = Array.from({ length: 300 }, (_, n) => {
          const template = { kind: kinds[n % kinds.length] ?? 1, tags: [['d', `${n}`]] }
          return author.event({ ...template, created_at: n % 2 ? IN_2019 + n : now() - n })
        })
        const lines = events.slice(0, 200).map((event) => `${JSON.stringify(event)}\n`)
        expect(relay.command(['import', '-'], lines.join('')).exit).toBe(0)
        const filter = { authors: [author.pubkey] }
        expect(byId(await driver.sync(filter, events.slice(100)))).toEqual(byId(events))
        expect(byId(await driver.query(filter))).toEqual(byId(events))
      })

      test(
        privateWraps ? 'authenticates for gift wraps and protected events' : 'is never asked to authenticate',
        async () => {
          const [author, other] = [one('of wraps'), one('another')]
          const [mine, yours] = [toHex(author.secret), toHex(other.secret)]
          const wrap = wrapFor(author.pubkey, {}, one('thrown away'))
          await publishAll([wrap])
          const filter = { kinds: [1059], '#p': [author.pubkey] }
          const seen = async (as?: string) => (await driver.query(filter, as).catch(() => [])).length
          const shown = privateWraps ? 0 : 1
          expect([await seen(), await seen(yours), await seen(mine)]).toEqual([shown, shown, 1])

          const guarded = author.event({ tags: [['-']] })
          const refusal = privateWraps
            ? 'this event may only be published by its author'
            : 'blocked: event marked as protected'
          for (const as of [undefined, yours]) expect(await driver.publish(guarded, as)).toContain(refusal)
          expect(await driver.publish(guarded, mine)).toEqual(privateWraps ? '' : expect.stringContaining(refusal))
        },
      )
    })
  })
}
