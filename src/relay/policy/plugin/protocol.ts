// The protocol between relay and policy program: one JSON object per line (specification: relay, 7).
import { objectOf, parseJson } from '../../../lib/parse-json.js'
import type { Decision, WriteRequest } from '../../ports.js'

/** Limit of an answer in bytes. */
export const MOST_ANSWER = 8192

/** The question about an event, as a line. */
export function questionLine({ event, source, authed, receivedAt }: WriteRequest): string {
  const key = authed.includes(event.pubkey) ? event.pubkey : authed[0]
  const question = { type: 'new', event, receivedAt, sourceType: source.type, sourceInfo: source.info }
  return `${JSON.stringify(key === undefined ? question : { ...question, authed: key })}\n`
}

/** The first word of every refusal is for programs (NIP-01). */
const PREFIX = /^[a-z][a-z-]*: /

const withPrefix = (message: string): string =>
  message === '' || PREFIX.test(message) ? message : `blocked: ${message}`

/** `noise`: not JSON, to be skipped. `lie`: JSON, but not an answer to this question. */
export function parsePluginAnswer(line: string, eventId: string): Decision | 'noise' | 'lie' {
  const parsed = parseJson(line)
  if (parsed === undefined) return 'noise'
  const { id, action, msg } = objectOf(parsed)
  if (id !== eventId) return 'lie'
  const message = typeof msg === 'string' ? msg : ''
  if (action === 'reject') return { action, message: withPrefix(message) }
  return action === 'accept' || action === 'shadowReject' ? { action } : 'lie'
}
