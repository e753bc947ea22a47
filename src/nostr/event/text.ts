// The one text in which an event is kept and sent: compact JSON, its members in the order of NIP-01, so that id and author stand at
// fixed places and a stored event is never parsed or printed again.
import { hash } from 'node:crypto'
import type { NostrEvent } from './event.js'

/** An event whose form is right and whose id is that of its content; its signature may still be unchecked. */
export interface EventText {
  readonly event: NostrEvent
  /** UTF-8; no line break anywhere. */
  readonly bytes: Buffer
}

export const ID_AT = '{"id":"'.length
export const AUTHOR_AT = ID_AT + 64 + '","pubkey":"'.length

/** The text of an event, or undefined when its id is not that of its content. Microseconds. */
export function eventText(event: NostrEvent): EventText | undefined {
  const { id, pubkey, created_at, kind, sig } = event
  const [tags, content] = [JSON.stringify(event.tags), JSON.stringify(event.content)]
  const form = `[0,"${pubkey}",${created_at},${kind},${tags},${content}]`
  if (hash('sha256', form, 'hex') !== id) return undefined
  const text = `{"id":"${id}","pubkey":"${pubkey}","created_at":${created_at},"kind":${kind},"tags":${tags},"content":${content},"sig":"${sig}"}`
  return { event, bytes: Buffer.from(text) }
}

export const TIME_AT = AUTHOR_AT + 64 + '","created_at":'.length
const KIND_AFTER_TIME = ',"kind":'.length
const COMMA = 0x2c

/** 64 hex, of bytes made by `eventText`. */
export const idOfText = (bytes: Buffer): string => bytes.toString('latin1', ID_AT, ID_AT + 64)

/** The author's key, 64 hex, of bytes made by `eventText`. */
export const authorOfText = (bytes: Buffer): string => bytes.toString('latin1', AUTHOR_AT, AUTHOR_AT + 64)

/** Of bytes made by `eventText`. */
export function kindOfText(bytes: Buffer): number {
  const start = bytes.indexOf(COMMA, TIME_AT) + KIND_AFTER_TIME
  return Number(bytes.toString('latin1', start, bytes.indexOf(COMMA, start)))
}

/**
 * Whether bytes made by `eventText` carry the tag [name, value, …]. Exact: tags hold texts only, and inside a text every quote is
 * escaped, so the pattern stands nowhere else.
 */
export const textHasTag = (bytes: Buffer, name: string, value: string): boolean => {
  const head = `[${JSON.stringify(name)},${JSON.stringify(value)}`
  return bytes.includes(`${head},`) || bytes.includes(`${head}]`)
}
