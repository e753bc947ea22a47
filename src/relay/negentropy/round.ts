// One round of negentropy (protocol V1): ranges that agree are skipped, large differing ranges are split in sixteen, small ones listed. Both sides
// do the same, but only the initiator learns the differences.

import type { SyncSet } from './sync-set.js'
import {
  BadMessage,
  type Bound,
  createMessageReader,
  createMessageWriter,
  END,
  ID_BYTES,
  type MessageReader,
  type MessageWriter,
  MODE,
  START,
  VERSION,
} from './wire.js'

const BUCKETS = 16
/** Below this size an answer could not be cut. */
export const LEAST_FRAME_BYTES = 4096
/** Reserve for a skipped range and the fingerprint of the rest, at the end of a full message. */
const RESERVE_BYTES = 200

export interface RoundParts {
  readonly set: SyncSet
  /** Maximum size of the answer, at least 4096 bytes. */
  readonly frameBytes: number
  /** Collects the differences of the initiator; absent: this side responds. */
  readonly differences?: Differences
}

/** The initiator's first message: the whole set. */
export function firstMessage(set: SyncSet): Buffer {
  const out = createMessageWriter()
  describe(set, out, { from: 0, to: set.size, end: END })
  return out.bytes()
}

interface Stretch {
  readonly from: number
  readonly to: number
  readonly end: Bound
}

/** Describes a range: few ids as a list, many as sixteen fingerprints. */
function describe(set: SyncSet, out: MessageWriter, { from, to, end }: Stretch): void {
  const count = to - from
  if (count < 2 * BUCKETS) {
    out.range(end, MODE.ids)
    out.ids(set.ids(from, to))
    return
  }
  for (let bucket = 0, start = from; bucket < BUCKETS; bucket++) {
    const next = start + Math.floor(count / BUCKETS) + (bucket < count % BUCKETS ? 1 : 0)
    out.range(next === to ? end : set.boundBefore(next), MODE.fingerprint)
    out.put(set.fingerprint(start, next))
    start = next
  }
}

/** Maximum size of a description: sixteen bounds and fingerprints, or 31 ids. */
const MOST_DESCRIBED = BUCKETS * (8 + 1 + ID_BYTES + 1 + 16)

/**
 * Processes a message in portions. Throws BadMessage. The initiator also throws on another version; a responder then answers with its own version
 * only.
 */
export function openRound({ set, frameBytes, differences }: RoundParts, message: Uint8Array) {
  const reader: MessageReader = createMessageReader(message)
  const out: MessageWriter = createMessageWriter()
  const version = reader.byte()
  if ((version & 0xf0) !== (VERSION & 0xf0) || (version !== VERSION && differences))
    throw new BadMessage('an unknown version of the protocol')
  let index = 0
  let start: Bound = START
  let isSkipping = false
  let isFull = version !== VERSION

  const isOver = (more: number): boolean => out.size() + more > frameBytes - RESERVE_BYTES

  /** Writes the skipped range before the next one. */
  function skip(): void {
    if (isSkipping) out.range(start, MODE.skip)
    isSkipping = false
  }

  /** The answer is full: the rest becomes one fingerprint, and the other side asks again. */
  function finish(from: number): void {
    isFull = true
    out.range(END, MODE.fingerprint)
    out.put(set.fingerprint(from, set.size))
  }

  function compare({ from, to, end }: Stretch): void {
    const theirs = reader.fingerprint()
    if (Buffer.compare(theirs, set.fingerprint(from, to)) === 0) {
      isSkipping = true
      return
    }
    skip()
    if (isOver(MOST_DESCRIBED)) finish(from)
    else describe(set, out, { from, to, end })
  }

  /** Lists our ids, as far as they fit. */
  function list({ from, to, end }: Stretch): void {
    skip()
    const room = Math.max(0, Math.floor((frameBytes - RESERVE_BYTES - out.size()) / ID_BYTES) - 1)
    const until = Math.min(to, from + room)
    if (until > from || to === from) {
      out.range(until === to ? end : set.boundAt(until), MODE.ids)
      out.ids(set.ids(from, until))
    }
    if (until < to) finish(until)
  }

  function range(): void {
    const end = reader.bound()
    const stretch = { from: index, to: set.find(index, end), end }
    const mode = reader.number()
    if (mode === MODE.skip) isSkipping = true
    else if (mode === MODE.fingerprint) compare(stretch)
    else if (mode === MODE.ids) {
      const theirs = reader.ids()
      differences?.learn(theirs, set.ids(stretch.from, stretch.to))
      if (differences) isSkipping = true
      else list(stretch)
    } else throw new BadMessage('an unknown mode')
    index = stretch.to
    start = end
  }

  return {
    /** Processes up to `most` ranges. True: the message is answered. */
    advance(most: number): boolean {
      for (let left = most; left > 0 && !isFull && !reader.isAtEnd(); left--) range()
      return isFull || reader.isAtEnd()
    },
    answer: (): Buffer => out.bytes(),
    /** True when both sets agree. */
    isAgreed: (): boolean => out.size() === 1,
  }
}

// The result of the initiator: ids that only it has, and ids that only the other side has.

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
