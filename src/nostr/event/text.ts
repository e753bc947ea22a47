// The text in which events are stored and sent: compact JSON with members in the order of NIP-01. Id and author have fixed offsets,
// and a stored event is never parsed or serialized again.
import { hash } from 'node:crypto'
import type { NostrEvent } from './event.js'

/** An event with valid form and id; its signature may be unchecked. */
export interface EventText {
  readonly event: NostrEvent
  /** UTF-8 without line breaks. */
  readonly bytes: Buffer
}

export const ID_AT = '{"id":"'.length
export const AUTHOR_AT = ID_AT + 64 + '","pubkey":"'.length

/** The text of an event, or undefined if its id is not the hash of the event. Takes microseconds. */
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
 * Whether bytes made by `eventText` have the tag [name, value, …]. Exact: quotes inside JSON strings are escaped, so the pattern
 * occurs only in tags.
 */
export const textHasTag = (bytes: Buffer, name: string, value: string): boolean => {
  const head = `[${JSON.stringify(name)},${JSON.stringify(value)}`
  return bytes.includes(`${head},`) || bytes.includes(`${head}]`)
}

/** Bytes for each string of a tag: the string, its array element, and its index key. Two thousand tags fit into 14 kB of text. */
const MEMBER_BYTES = 150

/** Approximate memory of a parsed event, in bytes. */
export function weightOf({ event, bytes }: EventText): number {
  let members = 0
  for (const tag of event.tags) members += Math.max(1, tag.length) // an empty tag takes memory too
  return bytes.length + MEMBER_BYTES * members
}
