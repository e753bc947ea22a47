// Several secrets for one purpose, one per line, so that an old one can be accepted for a while beside the new one.
import { createHash, timingSafeEqual } from 'node:crypto'
import { momentText } from './moment-text.js'
import { Secret } from './secret.js'

/** One line: the secret, or `sha256:` and its hash in hex; and how long it counts. */
export interface SecretLine {
  readonly secret: Secret
  /** Epoch milliseconds from which it is refused; undefined: it counts for good. */
  readonly until?: number | undefined
}

const UNTIL = /^(.+?)[ \t]+until=(\S+)$/
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/
const HASH = /^sha256:[0-9a-f]{64}$/

/** `SECRET` or `SECRET until=2026-01-31T12:00:00Z` per line; blank lines do not count. Throws RangeError, which never quotes a secret. */
export function parseSecretLines(text: string): readonly SecretLine[] {
  const lines = text.split(/\r?\n/).flatMap((line, at) => (line.trim() === '' ? [] : [parseLine(line, at + 1)]))
  if (lines.length === 0) throw new RangeError('holds no secret')
  return lines
}

function parseLine(line: string, number: number): SecretLine {
  const [, limited, moment = ''] = UNTIL.exec(line) ?? []
  const text = limited ?? line
  if (text.startsWith('sha256:') && !HASH.test(text))
    throw new RangeError(`line ${number}: "sha256:" must be followed by 64 lower-case hex digits`)
  if (/^\s|\s$/.test(text))
    throw new RangeError(`line ${number} begins or ends with a blank, which no request can carry: take it out`)
  if (limited === undefined) return { secret: new Secret(text) }
  const until = MOMENT.test(moment) ? Date.parse(moment) : Number.NaN
  if (Number.isNaN(until))
    throw new RangeError(`line ${number}: "until=" must be followed by a moment such as 2026-01-31T12:00:00Z`)
  return { secret: new Secret(text), until }
}

/** Fewer can be guessed. Ours have 64 hex digits behind their prefix. */
export const LEAST_SECRET = 16

/** Whether a secret is guessable. A hash reveals nothing about its secret, and a replaced secret expires by itself. */
export const hasWeak = (lines: readonly SecretLine[]): boolean =>
  lines.some((line) => line.until === undefined && !isHashed(line) && line.secret.reveal().length < LEAST_SECRET)

/** Whether a secret that counts for good stands in both lists, as a hash or as it is. */
export function haveCommon(some: readonly SecretLine[], others: readonly SecretLine[]): boolean {
  const hashes = (lines: readonly SecretLine[]) =>
    lines
      .filter(({ until }) => until === undefined)
      .map((line) => (isHashed(line) ? line.secret : hashOfSecret(line.secret)).reveal())
  const known = new Set(hashes(some))
  return hashes(others).some((hash) => known.has(hash))
}

/** The text of a file with these lines. */
export const formatSecretLines = (lines: readonly SecretLine[]): string =>
  lines
    .map(({ secret, until }) => `${secret.reveal()}${until === undefined ? '' : ` until=${momentText(until)}`}\n`)
    .join('')

/** The lines that count at `now`, in their order. */
export const inForce = (lines: readonly SecretLine[], now: number): readonly SecretLine[] =>
  lines.filter(({ until }) => until === undefined || now < until)

export const isHashed = ({ secret }: SecretLine): boolean => HASH.test(secret.reveal())

/** The first that counts for good and is known itself: what our own commands show. */
export const presentable = (lines: readonly SecretLine[] = []): Secret | undefined =>
  lines.find((line) => line.until === undefined && !isHashed(line))?.secret

/** The stored form of a secret that is only compared: the secret cannot be recovered from it. */
export const hashOfSecret = (secret: Secret): Secret =>
  new Secret(`sha256:${createHash('sha256').update(secret.reveal()).digest('hex')}`)

/** Compares a presented text with a secret or with the hash of one, in time that depends on neither's content. */
export const matchesLine = (presented: string, secret: Secret): boolean =>
  HASH.test(secret.reveal())
    ? matchesSecret(hashOfSecret(new Secret(presented)).reveal(), secret)
    : matchesSecret(presented, secret)

/** Compares a presented text with a secret in time that depends on neither's content. */
function matchesSecret(presented: string, secret: Secret): boolean {
  const a = Buffer.from(presented)
  const b = Buffer.from(secret.reveal())
  const padded = Buffer.alloc(b.length)
  a.copy(padded)
  return timingSafeEqual(padded, b) && a.length === b.length
}
