// Reconciles two relays from outside, using only NIP-77: fingerprints of one relay become questions to the other, and where they differ both list
// their ids. Neither set is known here as a whole, and no times are needed.
import { createDifferences, type Differences } from '../negentropy/round.js'
import {
  BadMessage,
  type Bound,
  compareBounds,
  createMessageReader,
  createMessageWriter,
  END,
  FINGERPRINT_BYTES,
  type MessageReader,
  MODE,
  START,
  VERSION,
} from '../negentropy/wire.js'

export type SyncSide = 'here' | 'there'

/** A range to ask one side about. */
interface Question {
  readonly from: Bound
  readonly to: Bound
  readonly about:
    | { readonly fingerprint: Uint8Array }
    /** The other side's ids in this range; this side lists its own. */
    | { readonly ids: Uint8Array }
}

export interface RelayReconciler {
  /** The next message and its side; undefined at the end. Answer each message before the next. */
  next(): { readonly side: SyncSide; readonly message: Buffer } | undefined
  /** Throws BadMessage. */
  answered(message: Uint8Array): void
  /** `have`: only here; `need`: only there. */
  readonly differences: Differences
}

/** Ranges per message: more would seldom be answered in one message. */
const MOST_RANGES = 32
const NOTHING = new Uint8Array()
/** A fingerprint that no set has, so that a side describes its range. */
const UNLIKELY = new Uint8Array(FINGERPRINT_BYTES).fill(255)

/** Throws BadMessage when there are more than `most` differences. */
export function createRelayReconciler(most: number): RelayReconciler {
  const differences = createDifferences(most)
  const questions: Record<SyncSide, Question[]> = {
    here: [{ from: START, to: END, about: { fingerprint: UNLIKELY } }],
    there: [],
  }
  let asked: { readonly side: SyncSide; readonly questions: readonly Question[] } = { side: 'here', questions: [] }

  /** The side with the earliest open range. */
  function sideToAsk(): SyncSide | undefined {
    const [here, there] = [questions.here[0], questions.there[0]]
    if (!here || !there) return here ? 'here' : there && 'there'
    return compareBounds(here.from, there.from) <= 0 ? 'here' : 'there'
  }

  function ask(side: SyncSide, question: Question): void {
    const list = questions[side]
    const at = list.findIndex(({ from }) => compareBounds(question.from, from) < 0)
    list.splice(at === -1 ? list.length : at, 0, question)
  }

  /** Drops questions from this bound on: the rest is compared as one range. */
  function drop(from: Bound): void {
    for (const side of ['here', 'there'] as const)
      questions[side] = questions[side].filter((question) => compareBounds(question.from, from) < 0)
  }

  function onIds(from: Bound, to: Bound, ids: Uint8Array): void {
    const question = asked.questions.find((one) => 'ids' in one.about && compareBounds(one.from, from) === 0)
    const others = question && 'ids' in question.about ? question.about.ids : undefined
    const isWhole = others && (others.length === 0 || compareBounds(question?.to ?? END, to) === 0)
    if (!others || !isWhole) ask(otherThan(asked.side), { from, to, about: { ids } })
    else if (asked.side === 'here') differences.learn(others, ids)
    else differences.learn(ids, others)
    if (differences.have.length > most) throw new BadMessage(`more than ${most} events are here and not there`)
  }

  function onFingerprint(from: Bound, to: Bound, fingerprint: Uint8Array): void {
    if (to === END) drop(from)
    ask(otherThan(asked.side), { from, to, about: { fingerprint } })
  }

  function range(reader: MessageReader, from: Bound): Bound {
    const bound = reader.bound()
    const to = bound.time === END.time ? END : bound
    const mode = reader.number()
    if (mode === MODE.fingerprint) onFingerprint(from, to, Uint8Array.from(reader.fingerprint()))
    else if (mode === MODE.ids) onIds(from, to, Uint8Array.from(reader.ids()))
    else if (mode !== MODE.skip) throw new BadMessage('an unknown mode')
    return to
  }

  return {
    differences,
    next() {
      const side = sideToAsk()
      if (!side) return undefined
      asked = { side, questions: takeBatch(questions[side]) }
      return { side, message: messageAbout(asked.questions) }
    },
    answered(message) {
      const reader = createMessageReader(message)
      if (reader.byte() !== VERSION) throw new BadMessage('it speaks another version of negentropy')
      for (let from = START; !reader.isAtEnd(); ) from = range(reader, from)
    },
  }
}

const otherThan = (side: SyncSide): SyncSide => (side === 'here' ? 'there' : 'here')

/** The earliest questions that do not overlap. */
function takeBatch(list: Question[]): readonly Question[] {
  const batch: Question[] = []
  for (let next = list[0]; next && batch.length < MOST_RANGES; next = list[0]) {
    const last = batch.at(-1)
    if (last && compareBounds(next.from, last.to) < 0) break
    batch.push(next)
    list.shift()
  }
  return batch
}

/** A side that lists its ids gets an empty list. */
function messageAbout(questions: readonly Question[]): Buffer {
  const out = createMessageWriter()
  let last = START
  for (const { from, to, about } of questions) {
    if (compareBounds(from, last) > 0) out.range(from, MODE.skip)
    out.range(to, 'ids' in about ? MODE.ids : MODE.fingerprint)
    if ('ids' in about) out.ids(NOTHING)
    else out.put(about.fingerprint)
    last = to
  }
  return out.bytes()
}
