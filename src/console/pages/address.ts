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
