// When a webhook event is tried again, and why a try counts as failed (specification: invoicing, 8.3). Exact: no jitter.
import { backoff } from '../../lib/backoff.js'
import { LONGEST_WAIT_MS } from '../../lib/due-times.js'
import { receiverSetting } from '../../lib/webhooks.js'

export const MAX_ATTEMPTS = 12
const BASE_SECONDS = 30
const CAP_SECONDS = LONGEST_WAIT_MS.webhook / 1000

/** Seconds to wait after this many failed attempts (1, 2, …); undefined when the event is given up. */
export function webhookRetryDelay(failedAttempts: number): number | undefined {
  if (failedAttempts >= MAX_ATTEMPTS) return undefined
  return backoff(failedAttempts, BASE_SECONDS, CAP_SECONDS)
}

type Cause = { readonly matches: (status: number) => boolean; readonly why: (receiver: number) => string }

/** Answers that do not heal by themselves, in plain words. */
const LASTING: readonly Cause[] = [
  {
    matches: (status) => status >= 300 && status < 400,
    why: (receiver) => `redirects are not followed; set ${receiverSetting(receiver, 'URL')} to the final address`,
  },
  {
    matches: (status) => status === 401 || status === 403,
    why: () => 'the receiver does not accept the signature or the sender',
  },
  { matches: (status) => status === 404, why: () => 'nothing listens at this path' },
  { matches: (status) => status === 410, why: () => 'the receiver says this address is gone for good' },
]

const lastingCause = (status: number): Cause | undefined => LASTING.find(({ matches }) => matches(status))

/** The error of an attempt that was not made: an unsigned event is never sent. */
export const noSecretCause = (receiver: number): string =>
  `${receiverSetting(receiver, 'SECRET')} has no secret in force: nothing was sent`

/** Whether the operator has to act: waiting will not help. */
export const needsOperator = (status: number | null, error: string | null): boolean =>
  status === null ? /certificate|tls|ssl|no secret in force/i.test(error ?? '') : lastingCause(status) !== undefined

/** Why the attempt at this receiver failed, or null when it did not. Any 2xx is success. */
export function causeOf(status: number | null, error: string | null, receiver: number): string | null {
  if (error !== null && status === null) return error
  if (status !== null && status >= 200 && status < 300) return error
  if (status === null) return 'no answer'
  const why = lastingCause(status)?.why(receiver)
  return `HTTP ${status}${why === undefined ? '' : `: ${why}`}`
}
