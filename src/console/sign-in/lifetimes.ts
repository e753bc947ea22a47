// How long sign-in links and sessions are good. Rules as data, imported by the store as well: this file imports nothing.

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export const LINK_MS = 60 * SECOND
export const INVITATION_MS = DAY
/** Without a request. */
export const IDLE_MS = 12 * HOUR
/** After the sign-in, whatever was asked. */
const SESSION_MS = 7 * DAY
/** The last use of a session is written at most this often. */
export const TOUCH_MS = MINUTE
/** Used and expired links are known this long, to say why they are refused; ended sessions are listed. */
export const KEPT_MS = 30 * DAY
/** Commands and the daemon read one clock at different moments. A time further ahead is the work of a clock that was set back. */
const TOLERANCE_MS = MINUTE

interface LinkTimes {
  readonly createdAt: number
  readonly expiresAt: number
  readonly spentAt: number | null
}

interface SessionTimes {
  readonly createdAt: number
  readonly usedAt: number
  readonly endedAt: number | null
}

export type LinkState = 'good' | 'spent' | 'expired' | 'ahead'
export type SessionState = 'live' | 'ended' | 'idle' | 'old' | 'ahead'

/** `ahead`: it was made in what is now the future, so nothing says how old it is. */
export function linkState({ createdAt, expiresAt, spentAt }: LinkTimes, now: number): LinkState {
  if (spentAt !== null) return 'spent'
  if (createdAt > now + TOLERANCE_MS) return 'ahead'
  return now >= expiresAt ? 'expired' : 'good'
}

export function sessionState({ createdAt, usedAt, endedAt }: SessionTimes, now: number): SessionState {
  if (endedAt !== null) return 'ended'
  if (Math.max(createdAt, usedAt) > now + TOLERANCE_MS) return 'ahead'
  if (now - createdAt >= SESSION_MS) return 'old'
  return now - usedAt >= IDLE_MS ? 'idle' : 'live'
}
