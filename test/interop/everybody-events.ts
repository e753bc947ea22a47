// What clients publish on a relay that is open to everybody, and what they ask there.
import type { Filter } from 'nostr-tools'
import type { NostrEvent } from 'nostr-tools/pure'
import { now, type Person, person } from '../support/wire-people.js'

/** Epoch seconds; the payments profile refuses what is so old. */
export const IN_2019 = 1_560_000_000
export const EPHEMERAL = 20_001

/** Notes, a reaction, an article, an ephemeral event, an old note, a report and a kind that has no meaning. */
export const strangeTo = (author: Person): readonly NostrEvent[] => [
  author.event({ kind: 1 }),
  author.event({ kind: 7 }),
  author.event({ kind: 30_023, tags: [['d', 'page']] }),
  author.event({ kind: EPHEMERAL }),
  author.event({ kind: 1, created_at: IN_2019 }),
  author.event({ kind: 1984 }),
  author.event({ kind: 54_321, content: 'tab \t, quote ", line\nend, ünïcode 語 😀' }),
]

/** Six events, 10 s apart but the fifth, which is old; what every member of a filter finds among them, by their places. */
export function questionsTo(author: Person) {
  const start = now() - 1000
  const [friend, place] = [person('friend').pubkey, `30023:${author.pubkey}:page`]
  const note = author.event({
    kind: 1,
    created_at: start,
    tags: [
      ['t', 'a'],
      ['p', friend],
    ],
  })
  const events = [
    note,
    author.event({
      kind: 1,
      created_at: start + 10,
      tags: [
        ['t', 'b'],
        ['e', note.id],
      ],
    }),
    author.event({
      kind: 7,
      created_at: start + 20,
      tags: [
        ['e', note.id],
        ['p', friend],
        ['t', 'a'],
        ['a', place],
      ],
    }),
    author.event({
      kind: 30_023,
      created_at: start + 30,
      tags: [
        ['d', 'page'],
        ['t', 'b'],
      ],
    }),
    author.event({
      kind: 1,
      created_at: IN_2019,
      tags: [
        ['t', 'a'],
        ['G', 'u4pru'],
      ],
    }),
    author.event({ kind: 1984, created_at: start + 40, tags: [['p', friend]] }),
  ]
  const idOf = (n: number) => events[n]?.id ?? ''
  const authors = [author.pubkey]
  const cases: Readonly<Record<string, readonly [Filter, readonly number[]]>> = {
    ids: [{ ids: [idOf(0), idOf(3), 'f'.repeat(64)] }, [0, 3]],
    authors: [{ authors }, [0, 1, 2, 3, 4, 5]],
    kinds: [{ authors, kinds: [1, 30_023] }, [0, 1, 3, 4]],
    since: [{ authors, since: start + 20 }, [2, 3, 5]],
    until: [{ authors, until: start + 10 }, [0, 1, 4]],
    'since and until': [{ authors, since: start + 10, until: start + 30 }, [1, 2, 3]],
    '2019': [{ authors, since: IN_2019, until: IN_2019 }, [4]],
    limit: [{ authors, limit: 2 }, [3, 5]],
    '#t': [{ authors, '#t': ['a'] }, [0, 2, 4]],
    '#e': [{ '#e': [idOf(0)] }, [1, 2]],
    '#p': [{ authors, '#p': [friend] }, [0, 2, 5]],
    '#d': [{ authors, '#d': ['page'] }, [3]],
    '#a': [{ '#a': [place] }, [2]],
    '#G': [{ authors, '#G': ['u4pru'] }, [4]],
    'two tags': [{ authors, '#t': ['a'], '#p': [friend] }, [0, 2]],
    'all members': [
      { ids: [idOf(0)], authors, kinds: [1], '#t': ['a', 'b'], since: start, until: start, limit: 5 },
      [0],
    ],
    nothing: [{ authors, kinds: [9999] }, []],
  }
  const placesOf = (found: readonly NostrEvent[]) =>
    found.map(({ id }) => events.findIndex((one) => one.id === id)).sort()
  return { events, cases, placesOf }
}
