// Names that an operator keeps back, and how one more is.
import { type ConsolePage, type PageRequest, pagesOf } from '../../console/index.js'
import type { ReservedName } from '../model.js'
import type { NameAccess } from './access.js'
import { nameCursorOf, namePath } from './address.js'

const ROWS = 50

export const reservedPage = (names: NameAccess): ConsolePage => ({
  path: '/reserved',
  title: 'Reserved names',
  least: 'viewer',
  navigation: { label: 'Reserved names', order: 310 },
  scripts: ['live.js'],
  async render(request) {
    const cursor = nameCursorOf(request.query)
    const { items, next } = await names.read(({ rows }) => rows.reserved({ limit: ROWS, cursor }))
    const body = request.view('names/reserved', {
      rows: items.map((row) => rowOf(row, request)),
      ...pagesOf('/reserved', {}, { cursor, next }),
    })
    return { body }
  },
})

const rowOf = ({ name, reason, createdAt }: ReservedName, { view }: PageRequest): readonly unknown[] => [
  { text: name, href: `/console${namePath(name)}` },
  reason,
  { html: view('parts/time', { at: createdAt }) },
]
