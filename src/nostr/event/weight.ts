// What an event takes of the memory while it is at hand as an object.
import type { EventText } from './text.js'

/** Each text of a tag: itself, its place in the list, and its key in an index. Two thousand tags fit into 14 kB of text. */
const MEMBER_BYTES = 150

/** About, in bytes. */
export function weightOf({ event, bytes }: EventText): number {
  let members = 0
  for (const tag of event.tags) members += tag.length
  return bytes.length + MEMBER_BYTES * members
}
