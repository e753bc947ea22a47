// Authenticates a request: the checks of NIP-98, in the order of specification: names, 5. The store of used ids detects replays.
import { parseJsonBytes } from '../../lib/parse-json.js'
import { HTTP_AUTH_KIND, isGenuine, type NostrEvent, parseEvent } from '../event/index.js'
import { payloadHash, SCHEME } from './header.js'

export interface RequestToCheck {
  readonly authorization: string | undefined
  readonly method: string
  /** Base address and path as the server knows them, never the request's own host. */
  readonly url: string
  readonly body: Uint8Array
  /** Unix seconds. */
  readonly now: number
  /** Seconds, inclusive. */
  readonly maxAge: number
}

/** The signer's key (64 hex), the id of the event (64 hex, computed), and the time of signing (unix seconds). */
export interface ProvenRequest {
  readonly pubkey: string
  readonly id: string
  readonly createdAt: number
}

/** Seconds that the sender's clock may be ahead of the server's. */
export const MAX_AHEAD_SECONDS = 5

const VISIBLE = /^[\t\x20-\x7e]*$/

type Rule = { readonly refusal: string; readonly breaks: (event: NostrEvent, request: RequestToCheck) => boolean }

/** Checks 5 to 10; the first failure is returned. Of several tags with one name, the last counts. */
const RULES: readonly Rule[] = [
  { refusal: 'bad event signature', breaks: (event) => !isGenuine(event) },
  { refusal: 'auth event kind must be 27235', breaks: ({ kind }) => kind !== HTTP_AUTH_KIND },
  {
    refusal: 'auth event expired or post-dated',
    breaks: ({ created_at }, { now, maxAge }) => now - created_at < -MAX_AHEAD_SECONDS || now - created_at > maxAge,
  },
  {
    refusal: 'auth event url mismatch',
    breaks: (event, { url }) => withoutSlashes(lastValue(event, 'u')) !== withoutSlashes(url),
  },
  {
    refusal: 'auth event method mismatch',
    breaks: (event, { method }) => asciiLower(lastValue(event, 'method')) !== asciiLower(method),
  },
  {
    refusal: 'auth event payload hash mismatch',
    breaks: (event, { body }) => {
      const payload = lastValue(event, 'payload')
      return payload !== undefined && asciiLower(payload) !== payloadHash(body)
    },
  },
  {
    refusal: 'auth event missing payload hash',
    breaks: (event, { body }) => body.length > 0 && lastValue(event, 'payload') === undefined,
  },
]

/** Checks 1 to 10. Takes about a millisecond with the signature check, otherwise less. Never throws. */
export function checkHttpAuth(request: RequestToCheck): ProvenRequest | { readonly refusal: string } {
  const event = readEvent(request.authorization)
  if (typeof event === 'string') return { refusal: event }
  const broken = RULES.find((rule) => rule.breaks(event, request))
  if (broken) return { refusal: broken.refusal }
  return { pubkey: event.pubkey, id: event.id, createdAt: event.created_at }
}

/** The event of a header, or the refusal: checks 1 to 4. */
function readEvent(authorization: string | undefined): NostrEvent | string {
  if (authorization === undefined || !VISIBLE.test(authorization)) return 'missing Authorization header'
  if (!authorization.startsWith(SCHEME)) return 'Authorization scheme must be Nostr'
  const token = authorization.slice(SCHEME.length).trim()
  const bytes = Buffer.from(token, 'base64')
  if (bytes.toString('base64') !== token) return 'invalid base64 auth event'
  const event = parseEvent(parseJsonBytes(bytes))
  return event?.tags.every((tag) => tag.length > 0) ? event : 'invalid auth event json'
}

/** The value of the last tag with a name; undefined if there is no tag or no value. */
const lastValue = ({ tags }: NostrEvent, name: string): string | undefined =>
  tags.findLast(([first]) => first === name)?.[1]

/** A regular expression would take quadratic time on an address full of slashes. */
function withoutSlashes(url: string | undefined): string | undefined {
  let end = url?.length ?? 0
  while (url?.[end - 1] === '/') end--
  return url?.slice(0, end)
}

/** Lowers A to Z only: `toLowerCase` also turns some non-ASCII letters into ASCII. */
const asciiLower = (text: string | undefined): string | undefined =>
  text?.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
