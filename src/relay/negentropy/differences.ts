// The result of the initiator: ids that only it has, and ids that only the other side has.
import { BadMessage, ID_BYTES } from './wire.js'

export interface Differences {
  /** 64 hex each. The consumer removes the ids it handles. */
  readonly have: string[]
  readonly need: string[]
  /** Compares the ids of one range, concatenated. */
  learn(theirs: Uint8Array, ours: Uint8Array): void
}

/** Throws BadMessage when the other side names more than `most` unknown ids: it could go on for ever. */
export function createDifferences(most: number): Differences {
  const have: string[] = []
  const need: string[] = []
  let named = 0
  return {
    have,
    need,
    learn(theirs, ours) {
      const theirIds = new Set(idsIn(theirs))
      for (const id of idsIn(ours)) if (!theirIds.delete(id)) have.push(id)
      named += theirIds.size
      if (named > most) throw new BadMessage(`it names more than ${most} events that are not here`)
      need.push(...theirIds)
    },
  }
}

function* idsIn(ids: Uint8Array): Generator<string> {
  const bytes = Buffer.from(ids.buffer, ids.byteOffset, ids.length)
  for (let at = 0; at < bytes.length; at += ID_BYTES) yield bytes.toString('hex', at, at + ID_BYTES)
}
