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
