import { defineError, GrinpayError } from '../lib/errors.js'
import type { ErrorView } from '../till/index.js'

/** Maximum number of ids in an error. */
const MOST_LISTED = 5

export const daemonUnreachable = defineError('DAEMON_UNREACHABLE', {
  status: 503,
  text: (url: string, why: string, who: string | undefined = 'the server') =>
    `no answer from ${who} at ${url} (${why})`,
  hint: 'start the daemon, or check its address',
})

export const daemonTimeout = defineError('DAEMON_TIMEOUT', {
  status: 504,
  text: (url: string, ms: number, who: string | undefined = 'the server') =>
    `${who} at ${url} did not answer within ${ms / 1000} s`,
  hint: 'check its load and log, then retry',
})

export const notATill = defineError('NOT_A_TILL', {
  status: 502,
  text: (url: string, status: number) => `the server at ${url} is not a till (it answered ${status})`,
  hint: 'check the address: it must be that of the daemon, mount path included',
})

export const notAnInvoice = defineError('NOT_AN_INVOICE', {
  status: 502,
  text: (member: string) => `the till returned an invoice whose ${member} cannot be used`,
  hint: 'check NAMEAUTH_PAY_URL: it must be the address of the till, mount path included',
})

export const tokenMissing = defineError('TOKEN_MISSING', {
  status: 401,
  text: (which: 'API' | 'admin') => `no ${which} token given`,
  hint: "pass the till's token to the client",
})

export const idAmbiguous = defineError('ID_AMBIGUOUS', {
  status: 400,
  text: (kind: string, typed: string, found: readonly string[]) =>
    `"${typed}" matches several ids (${kind}): ${found.slice(0, MOST_LISTED).join(', ')}${found.length > MOST_LISTED ? ', …' : ''}`,
  hint: 'type more of the id',
})

/** For the program of a shop (`grinpay/client`). */
export const webhookRefused = defineError('WEBHOOK_REFUSED', {
  status: 401,
  text: (why: string) => `not a webhook of this till: ${why}`,
  hint: 'answer 401; check PAY_WEBHOOK_SECRET and the clock, and pass the raw bytes of the body',
})

/** For the log of a relay; no client reads it. */
export const authorityOdd = defineError('AUTHORITY_ODD', {
  status: 502,
  text: (what: string, status: number) => `unexpected response from the name authority to ${what} (HTTP ${status})`,
  hint: 'check the address of the name authority: RELAY_AUTHORITY_URL, or authority.upstream',
})

/** The till's error response as an error, with its text and code. */
export const errorFromTill = (view: Partial<ErrorView>, status: number): GrinpayError =>
  new GrinpayError(
    view.code ?? 'TILL_ERROR',
    view.error === 'not found' ? (TEXT[view.code ?? ''] ?? view.error) : (view.error ?? `HTTP ${status}`),
    status,
    view.hint,
  )

/** Clearer texts for codes whose text on the wire is only `not found`. */
const TEXT: Readonly<Record<string, string>> = { INVOICE_NOT_FOUND: 'this till has no such invoice' }
