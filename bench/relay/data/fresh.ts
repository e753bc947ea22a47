// Events of a set, framed: nothing is left to do when the clock runs.
import { eventFrame } from '../client/frames.js'
import { KEY_LENGTH } from '../client/messages.js'
import { type Line, linesOf } from './latest.js'
import { fileOf, type SetName } from './sets.js'

export interface Fresh {
  readonly id: string
  /** What its OK is recognised by. */
  readonly key: string
  readonly frame: Buffer
  readonly event: Line['event']
}

const ID_AT = '{"id":"'.length

/**
 * Events as frames in one piece of memory. Among a hundred thousand objects the garbage collector of a load generator would take the processors that
 * the relay needs.
 */
export interface PackedEvents {
  readonly length: number
  key(index: number): string
  frame(index: number): Buffer
  slice(from: number, to?: number): PackedEvents
}

function packed(bytes: Buffer, ends: Uint32Array, keys: readonly string[], first: number): PackedEvents {
  return {
    length: keys.length,
    key: (index) => keys[index] ?? '',
    frame: (index) => bytes.subarray(ends[first + index], ends[first + index + 1]),
    slice: (from, to) => packed(bytes, ends, keys.slice(from, to), first + from),
  }
}

const PACKED_BYTES = 1 << 20

/** `count` events of the set from the given one on. */
export async function packedEvents(set: SetName, from: number, count: number): Promise<PackedEvents> {
  let bytes = Buffer.allocUnsafeSlow(PACKED_BYTES)
  const ends = new Uint32Array(count + 1)
  const keys: string[] = []
  let seen = 0
  for await (const { text } of linesOf(fileOf(set))) {
    if (seen++ < from) continue
    const frame = eventFrame(text)
    const start = ends[keys.length] ?? 0
    while (start + frame.length > bytes.length) bytes = Buffer.concat([bytes, bytes])
    frame.copy(bytes, start)
    // A copy: a part of a text would keep all of it.
    keys.push(Buffer.from(text.slice(ID_AT, ID_AT + KEY_LENGTH)).toString('latin1'))
    ends[keys.length] = start + frame.length
    if (keys.length === count) return packed(bytes, ends, keys, 0)
  }
  throw new Error(`the set ${set} has only ${keys.length} events from ${from} on`)
}

/** `count` events of the set from the given one on; those that `wanted` leaves out do not count. */
export async function freshEvents(
  set: SetName,
  from: number,
  count: number,
  wanted: (line: Line) => boolean = () => true,
): Promise<readonly Fresh[]> {
  const found: Fresh[] = []
  let seen = 0
  for await (const line of linesOf(fileOf(set))) {
    if (!wanted(line) || seen++ < from) continue
    const id = line.text.slice(ID_AT, ID_AT + 64)
    found.push({ id, key: id.slice(0, KEY_LENGTH), frame: eventFrame(line.text), event: line.event })
    if (found.length === count) return found
  }
  throw new Error(`the set ${set} has only ${found.length} such events from ${from} on`)
}
