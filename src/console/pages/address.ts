// Addresses of lists: their filters and the page that is shown.

type Query = Readonly<Record<string, string>>

/** Where a list goes on; undefined for the first page. */
export const cursorOf = ({ cursor = '' }: Query): string | undefined =>
  /^\d{1,16}-\d{1,16}$/.test(cursor) ? cursor : undefined

/** A path below the console with the fields that are not empty. */
export function address(path: string, fields: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams(Object.entries(fields).flatMap(([name, value]) => (value ? [[name, value]] : [])))
  const text = query.toString()
  return text === '' ? `/console${path}` : `/console${path}?${text}`
}

interface Shown {
  /** The cursor of this page; undefined: it is the first. */
  readonly cursor: string | undefined
  readonly next: string | null
}

/** What the part `pager` links to: the first page and the next one, with the same filters; empty where there is none. */
export const pagesOf = (
  path: string,
  filters: Readonly<Record<string, string | undefined>>,
  { cursor, next }: Shown,
) => ({
  first: cursor === undefined ? '' : address(path, filters),
  next: next === null ? '' : address(path, { ...filters, cursor: next }),
})
