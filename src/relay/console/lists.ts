// Bans, allowed keys and kinds, managers: one list on a page, searched by the beginning of an entry.
import type { ConsolePage } from '../../console/index.js'
import { entryPageOf } from './entries.js'
import { LIST_NAMES, LIST_WORDS, listNamed } from './list-words.js'
import type { OpenRelay } from './view.js'
import { count } from './words.js'

const ROWS = 50
export const LONGEST_ENTRY = 90

export const listsPage = (open: OpenRelay): ConsolePage => ({
  path: '/relay/lists',
  title: 'Bans and allow lists',
  least: 'viewer',
  navigation: { label: 'Bans and lists', order: 210 },
  async render({ query, view }) {
    const list = listNamed(query.list) ?? 'bannedKeys'
    const prefix = (query.q ?? '').trim().slice(0, LONGEST_ENTRY)
    const after = query.after?.slice(0, LONGEST_ENTRY)
    const all = await (await open()).lists()
    const { entries, next } = entryPageOf(all, { list, prefix, after, limit: ROWS })
    const words = LIST_WORDS[list]
    const at = (more: Readonly<Record<string, string>>) =>
      `/console/relay/lists?${new URLSearchParams({ list, ...(prefix !== '' && { q: prefix }), ...more })}`
    return {
      title: words.title,
      body: view('relay/lists', {
        list,
        words,
        prefix,
        choices: LIST_NAMES.map((name) => ({
          label: `${LIST_WORDS[name].title} ${count(all[name].size)}`,
          href: `/console/relay/lists?list=${name}`,
          isCurrent: name === list,
        })),
        rows: entries.map((row) => ({
          ...row,
          href: `/console/relay/lists/entry?${new URLSearchParams({ list, entry: row.entry })}`,
        })),
        isSearch: prefix !== '',
        isKeys: words.noun === 'key',
        first: after === undefined ? '' : at({}),
        next: next === null ? '' : at({ after: next }),
      }),
    }
  },
})
