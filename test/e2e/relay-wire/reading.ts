// What filters find, and in which order (NIP-01).
import type { NostrEvent } from 'nostr-tools/pure'
import { beforeAll, describe, expect, test } from 'vitest'
import type { WireClient } from '../../support/wire-client.js'
import { ids, inOrder, now, type Person, writer } from '../../support/wire-people.js'
import { relays } from './relays.js'

export function describeReading(): void {
  describe('filters', () => {
    const T = now() - 1000
    let client: WireClient
    let ada: Person
    let ben: Person
    let notes: NostrEvent[]
    let others: NostrEvent[]
    let twins: NostrEvent[]
    const all = () => [...notes, ...others, ...twins]
    const by = (events: readonly NostrEvent[]) => inOrder(events)
    const authors = () => [ada.pubkey, ben.pubkey]

    beforeAll(async () => {
      client = await relays.open.client()
      ada = writer()
      ben = writer()
      notes = [0, 10, 20, 30, 40].map((after, n) =>
        ada.event({
          created_at: T + after,
          tags: [
            ['t', n % 2 ? 'odd' : 'even'],
            ['T', 'capital'],
            ['t', `n${n}`],
            ['client', 'x'],
          ],
        }),
      )
      const [first, second] = notes
      others = [
        ben.event({
          created_at: T + 5,
          tags: [
            ['e', first!.id],
            ['p', ada.pubkey],
            ['t', 'even'],
          ],
        }),
        ben.event({
          kind: 7,
          created_at: T + 15,
          tags: [
            ['e', first!.id],
            ['e', second!.id, 'wss://x.example'],
            ['p', ada.pubkey],
          ],
        }),
        ben.event({
          kind: 1111,
          created_at: T + 25,
          tags: [
            ['E', first!.id],
            ['K', '1'],
            ['d', 'Ünï "q" \\'],
          ],
        }),
        ada.event({
          kind: 30_000,
          created_at: T + 35,
          tags: [
            ['d', 'list'],
            ['p', ben.pubkey],
          ],
        }),
      ]
      twins = [1, 2, 3, 4, 5, 6].map(() => ben.event({ kind: 16, created_at: T + 50 }))
      await client.store(...all())
    })

    const finds = (filters: () => readonly object[], expected: () => readonly NostrEvent[]) => async () =>
      expect(await client.ids(...filters())).toEqual(by(expected()))

    test(
      'by id',
      finds(
        () => [{ ids: [notes[2]!.id] }],
        () => [notes[2]!],
      ),
    )
    test(
      'by several ids',
      finds(
        () => [{ ids: ids(notes) }],
        () => notes,
      ),
    )
    test(
      'by an id that no event has',
      finds(
        () => [{ ids: ['0'.repeat(64)] }],
        () => [],
      ),
    )
    test(
      'by author',
      finds(
        () => [{ authors: [ada.pubkey] }],
        () => [...notes, others[3]!],
      ),
    )
    test(
      'by several authors',
      finds(() => [{ authors: authors() }], all),
    )
    test(
      'by an author given twice',
      finds(
        () => [{ authors: [ada.pubkey, ada.pubkey] }],
        () => [...notes, others[3]!],
      ),
    )
    test(
      'by kind and author',
      finds(
        () => [{ kinds: [1], authors: [ben.pubkey] }],
        () => [others[0]!],
      ),
    )
    test(
      'by several kinds',
      finds(
        () => [{ kinds: [7, 1111], authors: authors() }],
        () => [others[1]!, others[2]!],
      ),
    )
    test(
      'by #e',
      finds(
        () => [{ '#e': [notes[0]!.id] }],
        () => [others[0]!, others[1]!],
      ),
    )
    test(
      'by the second #e of an event',
      finds(
        () => [{ '#e': [notes[1]!.id] }],
        () => [others[1]!],
      ),
    )
    test(
      'by #p',
      finds(
        () => [{ '#p': [ben.pubkey] }],
        () => [others[3]!],
      ),
    )
    test(
      'by #p and kind',
      finds(
        () => [{ '#p': [ada.pubkey], kinds: [7] }],
        () => [others[1]!],
      ),
    )
    test(
      'by #t and author',
      finds(
        () => [{ '#t': ['even'], authors: [ada.pubkey] }],
        () => [notes[0]!, notes[2]!, notes[4]!],
      ),
    )
    test(
      'by one of several values',
      finds(
        () => [{ '#t': ['n1', 'n3', 'none'], authors: [ada.pubkey] }],
        () => [notes[1]!, notes[3]!],
      ),
    )
    test(
      'by two letters, which both count',
      finds(
        () => [{ '#t': ['even'], '#p': [ada.pubkey], authors: authors() }],
        () => [others[0]!],
      ),
    )
    test(
      'by a capital letter',
      finds(
        () => [{ '#T': ['capital'], authors: authors() }],
        () => notes,
      ),
    )
    test(
      'a capital letter is another tag',
      finds(
        () => [{ '#t': ['capital'], authors: authors() }],
        () => [],
      ),
    )
    test(
      'a small letter is another tag',
      finds(
        () => [{ '#e': [notes[0]!.id], kinds: [1111] }],
        () => [],
      ),
    )
    test(
      'by #E, which is the other letter',
      finds(
        () => [{ '#E': [notes[0]!.id] }],
        () => [others[2]!],
      ),
    )
    test(
      'by #K',
      finds(
        () => [{ '#K': ['1'], authors: [ben.pubkey] }],
        () => [others[2]!],
      ),
    )
    test(
      'by #d',
      finds(
        () => [{ '#d': ['list'], authors: [ada.pubkey], kinds: [30_000] }],
        () => [others[3]!],
      ),
    )
    test(
      'by a value with quotes and other letters',
      finds(
        () => [{ '#d': ['Ünï "q" \\'], authors: authors() }],
        () => [others[2]!],
      ),
    )
    test(
      'a value is compared whole',
      finds(
        () => [{ '#t': ['eve'], authors: authors() }],
        () => [],
      ),
    )
    test(
      'a value is compared with case',
      finds(
        () => [{ '#t': ['EVEN'], authors: authors() }],
        () => [],
      ),
    )
    test(
      'only the second word of a tag is a value',
      finds(
        () => [{ '#e': [notes[1]!.id], kinds: [1] }],
        () => [],
      ),
    )
    test(
      'a name of several letters is no condition',
      finds(
        () => [{ '#client': ['y'], authors: [ada.pubkey], kinds: [1] }],
        () => notes,
      ),
    )
    test(
      'since is included',
      finds(
        () => [{ authors: [ada.pubkey], kinds: [1], since: T + 20 }],
        () => notes.slice(2),
      ),
    )
    test(
      'a second later is not',
      finds(
        () => [{ authors: [ada.pubkey], kinds: [1], since: T + 21 }],
        () => notes.slice(3),
      ),
    )
    test(
      'until is included',
      finds(
        () => [{ authors: [ada.pubkey], kinds: [1], until: T + 20 }],
        () => notes.slice(0, 3),
      ),
    )
    test(
      'a second earlier is not',
      finds(
        () => [{ authors: [ada.pubkey], kinds: [1], until: T + 19 }],
        () => notes.slice(0, 2),
      ),
    )
    test(
      'since and until may be one second',
      finds(
        () => [{ authors: authors(), since: T + 50, until: T + 50 }],
        () => twins,
      ),
    )
    test(
      'since after until finds nothing',
      finds(
        () => [{ authors: authors(), since: T + 2, until: T + 1 }],
        () => [],
      ),
    )
    test(
      'since 0 and until far ahead change nothing',
      finds(() => [{ authors: authors(), since: 0, until: 9_999_999_999_999 }], all),
    )
    test(
      'several conditions all hold',
      finds(
        () => [
          { ids: ids(all()), authors: [ben.pubkey], kinds: [1, 7], since: T + 6, until: T + 99, '#p': [ada.pubkey] },
        ],
        () => [others[1]!],
      ),
    )
    test(
      'a limit takes the newest',
      finds(
        () => [{ authors: [ada.pubkey], kinds: [1], limit: 2 }],
        () => notes.slice(3),
      ),
    )
    test(
      'a limit of nothing has only an EOSE',
      finds(
        () => [{ authors: authors(), limit: 0 }],
        () => [],
      ),
    )
    test(
      'a limit above what there is has all',
      finds(() => [{ authors: authors(), limit: 400 }], all),
    )
    test(
      'two filters have each event once',
      finds(
        () => [{ authors: [ada.pubkey] }, { kinds: [1], authors: authors() }],
        () => [...notes, others[0]!, others[3]!],
      ),
    )
    test(
      'the same filter twice has each event once',
      finds(() => [{ authors: authors() }, { authors: authors() }], all),
    )
    test(
      'a bad time in one filter does not spoil the other',
      finds(
        () => [{ authors: [ada.pubkey], since: T + 9999 }, { ids: [notes[0]!.id] }],
        () => [notes[0]!],
      ),
    )
    test(
      'unknown members are no condition',
      finds(
        () => [{ authors: [ada.pubkey], kinds: [1], more: 5, '#': ['x'], '#ab': 'x' }],
        () => notes,
      ),
    )
    test(
      'a search finds nothing',
      finds(
        () => [{ authors: authors(), search: 'event' }],
        () => [],
      ),
    )
    test(
      'a search beside another filter finds that one’s',
      finds(
        () => [{ search: 'event' }, { ids: [notes[0]!.id] }],
        () => [notes[0]!],
      ),
    )
    test(
      'an empty list of ids finds nothing',
      finds(
        () => [{ ids: [], authors: authors() }],
        () => [],
      ),
    )
    test(
      'an empty list of authors finds nothing',
      finds(
        () => [{ authors: [] }],
        () => [],
      ),
    )
    test(
      'an empty list of kinds finds nothing',
      finds(
        () => [{ kinds: [], authors: authors() }],
        () => [],
      ),
    )
    test(
      'an empty list of tags finds nothing',
      finds(
        () => [{ '#t': [], authors: authors() }],
        () => [],
      ),
    )

    test('of one second the lowest id comes first', async () => {
      const found = await client.ids({ authors: [ben.pubkey], kinds: [16] })
      expect(found).toEqual([...ids(twins)].sort())
      expect(await client.ids({ authors: [ben.pubkey], kinds: [16], limit: 3 })).toEqual(found.slice(0, 3))
    })

    test('each filter has its own limit, and the answer is in one order', async () => {
      const found = await client.ids(
        { authors: [ada.pubkey], kinds: [1], limit: 1 },
        { kinds: [7, 1111], authors: [ben.pubkey], limit: 1 },
      )
      expect(found).toEqual(by([notes[4]!, others[2]!]))
    })

    test('the empty filter finds whatever is newest, at most 500', async () => {
      const found = await client.ids({})
      expect(found.length).toBeGreaterThanOrEqual(all().length)
      expect(found.length).toBeLessThanOrEqual(500)
    })
  })
}
