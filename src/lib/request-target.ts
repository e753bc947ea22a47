// The target of a request line. Servers also take its absolute form, which clients behind a proxy send (RFC 9112, 3.2.2).
const AUTHORITY = /^https?:\/\/[^/?#]*/i

/** Path and query of a target: `/a?b` of `http://host/a?b`. Any other text stays as it is. */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target
  const authority = AUTHORITY.exec(target)?.[0]
  if (authority === undefined) return target
  const rest = target.slice(authority.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}
