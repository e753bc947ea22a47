// Parses messages of relays with bounds (NIP-01, NIP-42). Pure.
import { parseJson } from '../../lib/parse-json.js'
import { plainText } from '../../lib/plain-text.js'

export type RelayMessage =
  | { readonly type: 'EVENT'; readonly sub: string; readonly event: unknown }
  | { readonly type: 'EOSE'; readonly sub: string }
  | { readonly type: 'CLOSED'; readonly sub: string; readonly text: string }
  | { readonly type: 'OK'; readonly id: string; readonly accepted: boolean; readonly text: string }
  | { readonly type: 'NOTICE'; readonly text: string }
  | { readonly type: 'AUTH'; readonly challenge: string }
  /** COUNT, NEG-MSG and unknown types: no fault. */
  | { readonly type: 'OTHER'; readonly message: readonly unknown[] }

const MAX_TEXT = 256
const MAX_SUB = 64
const MAX_CHALLENGE = 1024

/** Parses one frame; undefined if it is no relay message. Cuts texts at 256 characters and blanks control characters. */
export function parseFrame(frame: string): RelayMessage | undefined {
  const message = parseJson(frame)
  if (!Array.isArray(message)) return undefined
  const [verb, ...rest]: unknown[] = message
  if (typeof verb !== 'string') return undefined
  return READERS.has(verb) ? READERS.get(verb)?.(rest) : { type: 'OTHER', message }
}

type Reader = (rest: readonly unknown[]) => RelayMessage | undefined

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['EVENT', ([sub, event]) => (isSub(sub) ? { type: 'EVENT', sub, event } : undefined)],
  ['EOSE', ([sub]) => (isSub(sub) ? { type: 'EOSE', sub } : undefined)],
  ['CLOSED', ([sub, text]) => (isSub(sub) ? { type: 'CLOSED', sub, text: plain(text) } : undefined)],
  ['OK', readOk],
  ['NOTICE', ([text]) => ({ type: 'NOTICE', text: plain(text) })],
  ['AUTH', ([challenge]) => (isChallenge(challenge) ? { type: 'AUTH', challenge } : undefined)],
])

function readOk([id, accepted, text]: readonly unknown[]): RelayMessage | undefined {
  // strfry answers an event it cannot read with the id "?".
  if (typeof id !== 'string' || id.length > 64 || typeof accepted !== 'boolean') return undefined
  return { type: 'OK', id, accepted, text: plain(text) }
}

const isSub = (value: unknown): value is string => typeof value === 'string' && value.length <= MAX_SUB

const isChallenge = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= MAX_CHALLENGE

const plain = (value: unknown): string => (typeof value === 'string' ? plainText(value.slice(0, MAX_TEXT)) : '')

/** Whether a refusal requires authentication (NIP-42). */
export const asksForAuth = (text: string): boolean => text.startsWith('auth-required:')

/** Whether a refusal concerns the authenticated key. */
export const isRestricted = (text: string): boolean => text.startsWith('restricted:')
