// The list of names: search, filter, pages.
import type { ConsolePage, PageRequest } from '../../area.js'
import { pagesOf } from '../address.js'
import { nameCursorOf, namePath } from './address.js'
import type { NameChoice, NameDesk, NameRow } from './desk.js'
import { NAME_STATES, shortKey } from './labels.js'

const ROWS = 50
const LONGEST_TEXT = 100

const CHOICES: readonly (readonly [choice: NameChoice, label: string])[] = [
  ['all', 'all'],
  ['held', 'held'],
  ['suspended', 'suspended'],
  ['released', 'released'],
]

/** `alice@acme.example` means alice. */
const textOf = (q: string): string => (q.trim().toLowerCase().split('@')[0] ?? '').slice(0, LONGEST_TEXT)

const choiceOf = (word: string): NameChoice => CHOICES.find(([choice]) => choice === word)?.[0] ?? 'all'

export const namesPage = (desk: NameDesk): ConsolePage => ({
  path: '/names',
  title: 'Names',
  least: 'viewer',
  navigation: { label: 'Names', order: 300 },
  scripts: ['live.js'],
  async render(request) {
    const { q = '', show = '' } = request.query
    const [text, choice, cursor] = [textOf(q), choiceOf(show), nameCursorOf(request.query)]
    const filters = { q: text, show: choice === 'all' ? undefined : choice }
    const { items, next } = await desk.names({ text, choice, limit: ROWS, cursor })
    const body = request.view('names/names', {
      domain: await desk.domain(),
      text,
      choice,
      choices: CHOICES.map(([value, label]) => ({ value, label })),
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

const rowOf = (
  { name, state, holder, since, suspendedAt, releasedAt }: NameRow,
  { view }: PageRequest,
): readonly unknown[] => [
  { text: name, href: `/console${namePath(name)}` },
  NAME_STATES[state],
  { text: shortKey(holder), title: holder.npub },
  { html: view('parts/time', { at: releasedAt ?? suspendedAt ?? since }) },
]
