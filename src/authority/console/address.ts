// Addresses of names and of lists of names.

/** Below `/console`. */
export const namePath = (name: string): string => `/names/${encodeURIComponent(name)}`

/** The last name of the page before; undefined for the first page. */
export const nameCursorOf = ({ cursor = '' }: Readonly<Record<string, string>>): string | undefined =>
  /^[a-z0-9._-]{1,64}$/.test(cursor) ? cursor : undefined
