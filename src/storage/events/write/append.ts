// Appends a batch: a few statements look up what it needs, `decide` computes the outcome, and the same transaction writes it.
import type { EventText } from '../../../nostr/event/index.js'
import type { StoreOutcome } from '../../../relay/index.js'
import type { Sqlite } from '../../sqlite/sqlite.js'
import { indexKeysOf } from '../index/index-keys.js'
import { addressHash, prefixOf } from '../index/key-numbers.js'
import { type Candidate, type Decided, type DecideParts, decide, type StoredState } from './decide.js'
import { namesTooMuch } from './deletion-size.js'
import { addressText, DELETION_KIND, type DeletionRules, deletionTargetsOf, refusingTargetsOf } from './deletions.js'
import { asStored, findByAddress, findByPrefix, findDeleted, stagedByAddress } from './lookups.js'
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

export function createAppend({
  db,
  state,
  writer,
  rules,
  now,
}: Parts): (events: readonly EventText[]) => readonly StoreOutcome[] {
  return (events) => {
    if (events.length === 0) return []
    const batch = events.map((text) => candidateOf(text, rules))
    const plan = (): Decided => {
      const parts: DecideParts = { known: ask(db, state, batch), rules, now: now(), nextSeq: state.nextSeq }
      return decide(batch, parts)
    }
    return writer.commit(plan).outcomes
  }
}

function candidateOf(text: EventText, rules: DeletionRules): Candidate {
  const { event } = text
  const keys = indexKeysOf(event)
  const address = keys.address === undefined ? undefined : addressText(event)
  const targets = event.kind === DELETION_KIND ? deletionTargetsOf(event) : undefined
  return { text, keys, address, targets, refusingTargets: refusingTargetsOf(event, address, rules) }
}

/** Looks up everything about a batch in the database and in memory. */
function ask(db: Sqlite, state: WriterState, batch: readonly Candidate[]): StoredState {
  const { stage, tombstones, deletions } = state
  const tooMuch = new Set(batch.filter(({ targets: named }) => named && namesTooMuch(db, state, named)))
  const { prefixes, hashes, targets } = questions(batch, tooMuch)
  const known = (seq: number) => tombstones.has(seq) || stage.holds(seq)
  const byId = findByPrefix(db, prefixes, known)
  const byAddress = findByAddress(db, hashes, known)
  const deleted = deletions ? findDeleted(db, targets) : undefined
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
