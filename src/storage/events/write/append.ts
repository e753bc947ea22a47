// Appends a batch: a few statements look up what it needs, `decide` computes the outcome, and the same transaction writes it.
import type { EventText } from '../../../nostr/event/index.js'
import type { LogMark, StoreOutcome } from '../../../relay/index.js'
import type { Sqlite } from '../../sqlite/sqlite.js'
import { addressHash, indexKeysOf, prefixOf } from '../index/index-keys.js'
import { type Candidate, type Decided, type DecideParts, decide, RULES, type StoredState } from './decide.js'
import {
  addressText,
  DELETION_KIND,
  type DeletionRules,
  type DeletionTargets,
  deletionTargetsOf,
  refusingTargetsOf,
  versionTargetOf,
} from './deletions.js'
import {
  asStored,
  type Deleter,
  findByAddress,
  findByPrefix,
  findMarks,
  findNamed,
  namesTooMuch,
  stagedByAddress,
} from './lookups.js'
import { type PositionKeeper, positionAfter } from './position.js'
import { type EventWriter, forgetExpiredMarks } from './writer.js'
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
    return writer.commit(() => planOf({ db, state, rules, now: moment, version: RULES }, batch)).outcomes
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
      const decided = planOf({ db, state, rules: current, now: secondsOf(at), version: mark.rules ?? RULES }, batch)
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
  /** Version of the rules. */
  readonly version: number
}

function planOf(moment: Moment, batch: readonly Candidate[]): Decided {
  const { db, state, rules, now, version } = moment
  const parts: DecideParts = { known: ask(moment, batch), rules, now, nextSeq: state.nextSeq, version }
  const decided = decide(batch, parts)
  forgetExpiredMarks(db, decided.marks, now)
  return decided
}

function candidateOf(text: EventText, rules: DeletionRules): Candidate {
  const { event } = text
  const keys = indexKeysOf(event)
  const address = keys.address === undefined ? undefined : addressText(event)
  const targets = event.kind === DELETION_KIND ? deletionTargetsOf(event) : undefined
  const versionTarget = address === undefined ? undefined : versionTargetOf(address)
  return { text, keys, address, targets, refusingTargets: refusingTargetsOf(event, address, rules), versionTarget }
}

/** Looks up everything about a batch in the database and in memory. */
function ask(moment: Moment, batch: readonly Candidate[]): StoredState {
  const { db, state, now } = moment
  const { stage, tombstones, deletions } = state
  const tooMuch = new Set(
    batch.filter(
      (candidate) => candidate.targets && namesTooMuch(moment, candidate.targets, deleterOf(candidate, moment)),
    ),
  )
  const { prefixes, hashes, targets, several } = questions(batch, tooMuch, moment)
  const known = (seq: number) => tombstones.has(seq) || stage.holds(seq)
  const byId = new Map([...findByPrefix(db, prefixes, known), ...findSeveral(moment, several, known)])
  const byAddress = findByAddress(db, hashes, known)
  const marks = deletions ? findMarks(db, targets, now) : undefined
  return {
    byId(id) {
      const staged = stage.get(id)
      return staged ? asStored(staged) : byId.get(id)
    },
    byAddress: (address) => stagedByAddress(stage, address) ?? byAddress.get(address),
    isTooMuch: (candidate) => tooMuch.has(candidate),
    markOf: (target) => marks?.get(target),
  }
}

/** Undefined by rules 1, which also need what a deletion must not delete. */
const deleterOf = ({ text }: Candidate, { version, rules }: Moment): Deleter | undefined =>
  version < 2 ? undefined : { author: text.event.pubkey, wraps: rules.giftWrapRecipientDelete }

function* findSeveral(moment: Moment, several: readonly Candidate[], known: (seq: number) => boolean) {
  for (const candidate of several) {
    const deleter = deleterOf(candidate, moment)
    if (!deleter || !candidate.targets) continue
    for (const stored of findNamed(moment.db, candidate.targets.ids, deleter, known))
      yield [stored.event.id, stored] as const
  }
}

interface Questions {
  readonly prefixes: number[]
  readonly hashes: number[]
  readonly targets: string[]
  /** Deletions of several ids. */
  readonly several: Candidate[]
}

/** Deletions that name too much are not looked up. */
function questions(batch: readonly Candidate[], tooMuch: ReadonlySet<Candidate>, moment: Moment): Questions {
  const all: Questions = { prefixes: [], hashes: [], targets: [], several: [] }
  for (const candidate of batch) {
    const { keys, refusingTargets, versionTarget, targets } = candidate
    all.prefixes.push(keys.prefix)
    if (keys.address !== undefined) all.hashes.push(keys.address)
    all.targets.push(...refusingTargets)
    if (versionTarget !== undefined) all.targets.push(versionTarget)
    if (targets && !tooMuch.has(candidate)) addNamed(all, candidate, targets, moment)
  }
  return all
}

/** Rules 1 look at everything that is named. */
function addNamed(
  all: Questions,
  candidate: Candidate,
  { ids, addresses }: DeletionTargets,
  { version }: Moment,
): void {
  for (const address of addresses) all.hashes.push(addressHash(address))
  if (ids.length > 1 && version > 1) all.several.push(candidate)
  else for (const id of ids) all.prefixes.push(prefixOf(id))
}
