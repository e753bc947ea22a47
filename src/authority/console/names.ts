// The list of names: search, filter, pages.
import { type ConsolePage, type PageRequest, pagesOf } from '../../console/index.js'
import { type NameAdmin, stateOf } from '../admin/index.js'
import type { NameRecord } from '../model.js'
import type { NameAccess } from './access.js'
import { nameCursorOf, namePath } from './address.js'
import { keyCell, NAME_STATES } from './labels.js'

const ROWS = 50
const LONGEST_TEXT = 100

/** What is listed under each word; a suspended name has a holder too. */
const CHOICES = { all: undefined, held: 'active', suspended: 'suspended', released: 'released' } as const
type NameChoice = keyof typeof CHOICES

/** `alice@acme.example` means alice. */
const textOf = (q: string): string => (q.trim().toLowerCase().split('@')[0] ?? '').slice(0, LONGEST_TEXT)

const isChoice = (word: string): word is NameChoice => Object.hasOwn(CHOICES, word)

const isKey = (text: string): boolean => /^(?:npub1.{20,}|[0-9a-f]{64})$/.test(text)

/** The beginning of names, or a whole key (npub or 64 hex digits); empty: no search. */
const queryOf = (text: string, choice: NameChoice): Parameters<NameAdmin['rows']['names']>[0] => ({
  ...(isKey(text) ? { pubkey: text } : { prefix: text === '' ? undefined : text }),
  status: CHOICES[choice],
})

export const namesPage = (names: NameAccess): ConsolePage => ({
  path: '/names',
  title: 'Names',
  least: 'viewer',
  navigation: { label: 'Names', order: 300 },
  scripts: ['live.js'],
  async render(request) {
    const { q = '', show = '' } = request.query
    const text = textOf(q)
    const choice = isChoice(show) ? show : 'all'
    const cursor = nameCursorOf(request.query)
    const filters = { q: text, show: choice === 'all' ? undefined : choice }
    const { items, next, domain } = await names.read(async ({ rows }, domain) => ({
      domain,
      ...(await rows.names(queryOf(text, choice), { limit: ROWS, cursor })),
    }))
    const body = request.view('names/names', {
      domain,
      text,
      choice,
      choices: Object.keys(CHOICES),
      rows: items.map((row) => rowOf(row, request)),
      // A whole name that is not in the list has a page too: it says whether it is free.
      other: isName(text) && !items.some(({ name }) => name === text) ? namePath(text) : null,
      isFiltered: text !== '' || choice !== 'all',
      ...pagesOf('/names', filters, { cursor, next }),
    })
    return { body }
  },
})

const isName = (text: string): boolean => /^(?:_|[a-z0-9][a-z0-9._-]{0,30})$/.test(text)

const rowOf = (record: NameRecord, { view }: PageRequest): readonly unknown[] => [
  { text: record.name, href: `/console${namePath(record.name)}` },
  NAME_STATES[stateOf(record)],
  keyCell(record.pubkey),
  { html: view('parts/time', { at: record.releasedAt ?? record.suspendedAt ?? record.createdAt }) },
]
