// Appends a batch: a few statements look up what it needs, `decide` computes the outcome, and the same transaction writes it.
import type { EventText } from '../../../nostr/event/index.js'
import type { LogMark, StoreOutcome } from '../../../relay/index.js'
import type { Sqlite } from '../../sqlite/sqlite.js'
import { indexKeysOf } from '../index/index-keys.js'
import { addressHash, prefixOf } from '../index/key-numbers.js'
import { type Candidate, type Decided, type DecideParts, decide, type StoredState } from './decide.js'
import { namesTooMuch } from './deletion-size.js'
import { addressText, DELETION_KIND, type DeletionRules, deletionTargetsOf, refusingTargetsOf } from './deletions.js'
import { asStored, findByAddress, findByPrefix, findDeleted, stagedByAddress } from './lookups.js'
import { type PositionKeeper, positionAfter } from './position.js'
import { forgetExpiredMarks } from './write-changes.js'
import type { EventWriter } from './writer.js'
import type { WriterState } from './writer-state.js'

interface Parts {
  readonly db: Sqlite
  readonly state: WriterState
  readonly writer: EventWriter
  readonly rules: DeletionRules
  /** Epoch seconds. */
  readonly now: () => number
}

type Append = (events: readonly EventText[], mark?: LogMark) => readonly StoreOutcome[]

/** Decides by the time of the mark, or by the clock. */
export function createAppend({ db, state, writer, rules, now }: Parts): Append {
  return (events, mark) => {
    if (events.length === 0) return []
    const batch = events.map((text) => candidateOf(text, rules))
    const moment = mark ? secondsOf(mark.at) : now()
    return writer.commit(() => planOf({ db, state, rules, now: moment }, batch)).outcomes
  }
}

type FollowingParts = Omit<Parts, 'now' | 'rules'> & {
  readonly position: PositionKeeper
  readonly rules: () => DeletionRules
}

/** Decides by the log alone, and stores the position with the events. */
export function createFollowingAppend({ db, state, writer, rules, position }: FollowingParts) {
  return (events: readonly EventText[], mark: LogMark): readonly StoreOutcome[] => {
    const at = position.timeOf(mark)
    const current = rules()
    const batch = events.map((text) => candidateOf(text, current))
    let next = position.current()
    const { outcomes } = writer.commit(() => {
      const decided = planOf({ db, state, rules: current, now: secondsOf(at) }, batch)
      next = positionAfter(position.current(), { pos: mark.pos, at }, decided.outcomes)
      position.write(next)
      return decided
    })
    position.settle(next)
    return outcomes
  }
}

const secondsOf = (ms: number): number => Math.floor(ms / 1000)

/** What a batch is decided by. */
interface Moment {
  readonly db: Sqlite
  readonly state: WriterState
  readonly rules: DeletionRules
  /** Epoch seconds. */
  readonly now: number
}

function planOf({ db, state, rules, now }: Moment, batch: readonly Candidate[]): Decided {
  const parts: DecideParts = { known: ask({ db, state, now }, batch), rules, now, nextSeq: state.nextSeq }
  const decided = decide(batch, parts)
  forgetExpiredMarks(db, decided.marks, now)
  return decided
}

function candidateOf(text: EventText, rules: DeletionRules): Candidate {
  const { event } = text
  const keys = indexKeysOf(event)
  const address = keys.address === undefined ? undefined : addressText(event)
  const targets = event.kind === DELETION_KIND ? deletionTargetsOf(event) : undefined
  return { text, keys, address, targets, refusingTargets: refusingTargetsOf(event, address, rules) }
}

/** Looks up everything about a batch in the database and in memory. */
function ask({ db, state, now }: Omit<Moment, 'rules'>, batch: readonly Candidate[]): StoredState {
  const { stage, tombstones, deletions } = state
  const tooMuch = new Set(batch.filter(({ targets: named }) => named && namesTooMuch({ db, state, now }, named)))
  const { prefixes, hashes, targets } = questions(batch, tooMuch)
  const known = (seq: number) => tombstones.has(seq) || stage.holds(seq)
  const byId = findByPrefix(db, prefixes, known)
  const byAddress = findByAddress(db, hashes, known)
  const deleted = deletions ? findDeleted(db, targets, now) : undefined
  return {
    byId(id) {
      const staged = stage.get(id)
      return staged ? asStored(staged) : byId.get(id)
    },
    byAddress: (address) => stagedByAddress(stage, address) ?? byAddress.get(address),
    isTooMuch: (candidate) => tooMuch.has(candidate),
    deletedUntil: (target) => deleted?.get(target),
  }
}

/** Deletions that name too much are not looked up. */
function questions(batch: readonly Candidate[], tooMuch: ReadonlySet<Candidate>) {
  const prefixes: number[] = []
  const hashes: number[] = []
  const targets: string[] = []
  for (const candidate of batch) {
    const { keys, refusingTargets, targets: named } = candidate
    prefixes.push(keys.prefix)
    if (keys.address !== undefined) hashes.push(keys.address)
    for (const target of refusingTargets) targets.push(target)
    if (tooMuch.has(candidate)) continue
    for (const id of named?.ids ?? []) prefixes.push(prefixOf(id))
    for (const address of named?.addresses ?? []) hashes.push(addressHash(address))
  }
  return { prefixes, hashes, targets }
}
