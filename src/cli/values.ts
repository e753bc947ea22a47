// Texts of the command line: durations, amounts, moments, reasons.
import { readFileSync, statSync } from 'node:fs'
import { formatGrin, type NanoGrin, nanoGrin, parseGrin } from '../grin/amount/index.js'
import { causedBy, messageOf } from '../lib/errors.js'
import { momentText } from '../lib/moment-text.js'
import { plainText } from '../lib/plain-text.js'
import { Secret } from '../lib/secret.js'
import { type SystemClock, systemClock } from '../system/index.js'
import { tokenFileUnreadable, usage } from './errors.js'

const UNIT_SECONDS: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }

/** Seconds of `90s`, `15m`, `24h`, `7d`, `2w` or plain `90`. Throws USAGE. */
export function parseDuration(text: string): number {
  const [, digits, unit = ''] = /^(\d{1,9})([smhdw]?)$/.exec(text.trim()) ?? []
  const seconds = Number(digits) * (UNIT_SECONDS[unit] ?? Number.NaN)
  if (!Number.isSafeInteger(seconds)) throw usage(`not a duration: "${text}" (write 90s, 15m, 24h or 7d)`)
  return seconds
}

/** Milliseconds of `500ms`, or of a duration in seconds and up; at least 1. Throws USAGE. */
export function parseMilliseconds(text: string): number {
  const [, digits] = /^(\d{1,9})ms$/.exec(text.trim()) ?? []
  const milliseconds = digits === undefined ? parseDuration(text) * 1000 : Number(digits)
  if (milliseconds < 1) throw usage(`too short: "${text}"`)
  return milliseconds
}

/** The largest amount the HTTP API takes: JSON numbers are exact only up to here. */
const LARGEST = BigInt(Number.MAX_SAFE_INTEGER)

/** Decimal GRIN, or whole nanogrin; 1 … 2^53-1 nanogrin. Throws USAGE. */
export function parseAmount(text: string, inNanogrin: boolean): NanoGrin {
  const amount = inNanogrin ? wholeNanogrin(text) : decimalGrin(text)
  if (amount < 1n || amount > LARGEST)
    throw usage(`amount out of range: "${text}" (from 0.000000001 to 9007199.254740991 GRIN)`)
  return amount
}

function decimalGrin(text: string): NanoGrin {
  try {
    return parseGrin(text)
  } catch (error) {
    throw usage(`${messageOf(error)} (write 1.5, with at most nine decimals)`)
  }
}

function wholeNanogrin(text: string): NanoGrin {
  if (!/^\d{1,19}$/.test(text)) throw usage(`not a whole number of nanogrin: "${text}"`)
  return nanoGrin(BigInt(text))
}

/** `1.5 GRIN` for a whole number of nanogrin as it comes in JSON. */
export const amountText = (nanogrin: number | bigint): string => `${formatGrin(nanoGrin(BigInt(nanogrin)))} GRIN`

/** `testnet: coins without value`; null on the main chain. */
export const chainNotice = (chain: string): string | null =>
  chain === 'mainnet' ? null : `${chain}: coins without value`

/** An RFC 3339 date or moment, as epoch-free ISO text in UTC. A bare date is its first second. Throws USAGE. */
export function parseMoment(text: string): string {
  const shape = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2})?)?$/
  const at = shape.test(text) ? Date.parse(/T/.test(text) ? text : `${text}T00:00:00Z`) : Number.NaN
  if (Number.isNaN(at)) throw usage(`not a date: "${text}" (write 2026-01-31 or 2026-01-31T12:00:00Z)`)
  return momentText(at)
}

const SPAN = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/

/** Where a day or month (UTC) begins, or ends with the next one; a moment is itself. Throws USAGE. */
function edgeOf(text: string, edge: 'begin' | 'end'): string {
  const [, year = '', month = '', day] = SPAN.exec(text) ?? []
  if (year === '') return parseMoment(text)
  const begin = Date.parse(parseMoment(`${year}-${month}-${day ?? '01'}`))
  if (edge === 'begin') return momentText(begin)
  const [y, m, d] = [Number(year), Number(month) - 1, Number(day ?? 1)]
  return momentText(day === undefined ? Date.UTC(y, m + 1, 1) : Date.UTC(y, m, d + 1))
}

/** `--from` and `--to` as `report` takes them, for what was created: `from` and all before `to`. Throws USAGE. */
export const createdBetween = ({
  from,
  to,
}: {
  readonly from?: string | undefined
  readonly to?: string | undefined
}) => ({
  from: from === undefined ? undefined : edgeOf(from, 'begin'),
  to: to === undefined ? undefined : edgeOf(to, 'end'),
})

/** The moment a duration ago, as ISO text. Throws USAGE. */
export const sinceMoment = (duration: string, clock: SystemClock = systemClock): string =>
  momentText(clock.now() - parseDuration(duration) * 1000)

/**
 * Epoch seconds of a date or moment (`2026-01-31`, `2026-01-31T12:00:00Z`), of an age (`90d`, counted back from `now`, epoch milliseconds),
 * or as they are (`1769860800`). Throws USAGE.
 */
export function parseEpoch(text: string, now: number): number {
  if (/^\d{1,12}$/.test(text)) return Number(text)
  if (/^\d+[smhdw]$/.test(text)) return Math.floor(now / 1000) - parseDuration(text)
  return Math.floor(Date.parse(parseMoment(text)) / 1000)
}

const LONGEST_REASON = 200

/** The reason of a change, for a history or an audit: one line of 1 to 200 characters that is what it looks like. Throws USAGE. */
export function reasonOf(text: string | undefined): string {
  const reason = text?.trim() ?? ''
  if (reason === '') throw usage('--reason must say something')
  if (plainText(reason) !== reason) throw usage('--reason must be one line without control characters')
  if (reason.length > LONGEST_REASON) throw usage(`--reason must not be longer than ${LONGEST_REASON} characters`)
  return reason
}

// Secrets on the command line come in through files: arguments are public.

/** The content of a file, or of stdin for `-`, without its last line break. Throws TOKEN_FILE_UNREADABLE, also for an empty one. */
export function readSecretFile(path: string): Secret {
  const text = textOf(path).replace(/[\r\n]+$/, '')
  if (text.trim() === '') throw tokenFileUnreadable(path, 'it is empty')
  return new Secret(text)
}

function textOf(path: string): string {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8')
  } catch (error) {
    throw causedBy(tokenFileUnreadable(path, messageOf(error)), error)
  }
}

/** Who besides the owner can read the file; undefined: only the owner, or stdin. */
export function readableByOthers(path: string): string | undefined {
  const mode = path === '-' ? 0 : (statSync(path, { throwIfNoEntry: false })?.mode ?? 0)
  if ((mode & 0o004) !== 0) return 'everybody on this machine'
  return (mode & 0o040) === 0 ? undefined : 'the group of its owner'
}
