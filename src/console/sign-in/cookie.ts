// The session cookie. Secure and bound to the host where the console has an https address. Browsers share cookies among all ports of
// localhost: there its name holds the port, so that consoles beside each other keep their sign-ins, and only paths of a console get it.
import { isToken } from './tokens.js'

/** Where the browser sees the console. */
export interface CookiePlace {
  readonly secure: boolean
  readonly port: string
}

const nameOf = ({ secure, port }: CookiePlace): string => (secure ? '__Host-grinpay' : `grinpay-${port}`)

/** Undefined: there is none, or several, or it has not the form of one. */
export function readCookie(header: string | undefined, place: CookiePlace): string | undefined {
  const start = `${nameOf(place)}=`
  const found = (header ?? '').split(/;\s*/).filter((pair) => pair.startsWith(start))
  const value = found.length === 1 ? found[0]?.slice(start.length) : undefined
  return value !== undefined && isToken(value) ? value : undefined
}

/** Ends with the browser; the server ends it earlier. */
export const cookieWith = (token: string, place: CookiePlace): string => `${nameOf(place)}=${token}${terms(place)}`

export const cookieWithout = (place: CookiePlace): string => `${nameOf(place)}=; Max-Age=0${terms(place)}`

/** `__Host-` demands the path `/`. */
const terms = ({ secure }: CookiePlace): string =>
  secure ? '; Path=/; HttpOnly; SameSite=Strict; Secure' : '; Path=/console; HttpOnly; SameSite=Strict'
