// Decides the outcome of each event of a batch, in order: every event sees the effects of earlier ones. Pure: the writer carries it out.
import type { EventText, NostrEvent } from '../../../nostr/event/index.js'
import type { StoreOutcome } from '../../../relay/index.js'
import type { IndexKeys } from '../index/index-keys.js'
import {
  addressText,
  type DeletionRules,
  type DeletionTargets,
  isForeign,
  type Mark,
  marksOf,
  mayDelete,
  versionTargetOf,
} from './deletions.js'
import type { KnownMark, Stored } from './lookups.js'

/**
 * Version of the rules by which events are decided. It rises when an outcome changes; then `decide` keeps the rules of before as well, and takes those
 * of the entry: front ends of both versions follow one log while they are updated. Rules 1 refuse a deletion that names events of other authors,
 * and let older versions in after the deletion of the newest: the outcome then depends on the order.
 */
export const RULES = 2

/** An event, with what was computed before the transaction. */
export interface Candidate {
  readonly text: EventText
  readonly keys: IndexKeys
  readonly address: string | undefined
  /** Targets of a deletion. */
  readonly targets: DeletionTargets | undefined
  /** Targets whose deletion marks refuse this event. */
  readonly refusingTargets: readonly string[]
  /** Its mark is the place of the newest version of this address that was deleted by id: older ones stay replaced. */
  readonly versionTarget: string | undefined
}

interface Added extends Stored {
  readonly text: EventText
}

/** Stored state before the batch. */
export interface StoredState {
  byId(id: string): Stored | undefined
  byAddress(address: string): Stored | undefined
  /** True when a deletion names too much and was not looked up. */
  isTooMuch(candidate: Candidate): boolean
  /** The mark of a target; undefined: none. */
  markOf(target: string): KnownMark | undefined
}

export interface Decided {
  /** In the order of the batch. */
  readonly outcomes: readonly StoreOutcome[]
  readonly added: readonly Added[]
  /** Earlier events to delete. */
  readonly removed: readonly Stored[]
  readonly marks: readonly (Mark & { readonly seq: number })[]
}

export interface DecideParts {
  readonly known: StoredState
  readonly rules: DeletionRules
  /** Epoch seconds. */
  readonly now: number
  /** `seq` of the first added event. */
  readonly nextSeq: number
  /** Version of the rules to decide by. */
  readonly version: number
}

export function decide(batch: readonly Candidate[], parts: DecideParts): Decided {
  const changes = createChanges(parts)
  const outcomes = batch.map(changes.admit)
  return { outcomes, ...changes.outcome() }
}

function createChanges({ known, rules, now, nextSeq, version }: DecideParts) {
  const isOrdered = version < 2
  const added = new Map<number, Added>()
  const removed = new Map<number, Stored>()
  const newById = new Map<string, Added>()
  const newByAddress = new Map<string, Added>()
  const newMarks = new Map<string, Mark & { readonly seq: number }>()
  let seq = nextSeq

  const ifPresent = (stored: Stored | undefined): Stored | undefined =>
    stored === undefined || removed.has(stored.seq) ? undefined : stored
  /** Expired events count as absent, whether deleted yet or not. For a text on disk this parses its tags, so it is checked last. */
  const isOver = ({ keys }: Stored): boolean => keys.expires !== undefined && keys.expires <= now
  const byId = (id: string) => newById.get(id) ?? ifPresent(known.byId(id))
  const byAddress = (address: string) => newByAddress.get(address) ?? ifPresent(known.byAddress(address))

  function admit(candidate: Candidate): StoreOutcome {
    const { text, address } = candidate
    const refused = refusalOf(candidate)
    if (refused) return refused
    const current = address === undefined ? undefined : byAddress(address)
    if (current && isNewer(current.event, text.event) && !isOver(current)) return 'replaced'
    if (isBehindDeletedVersion(candidate)) return 'replaced'
    if (current) remove(current)
    add(candidate)
    return 'stored'
  }

  function refusalOf(candidate: Candidate): StoreOutcome | undefined {
    const { text, keys } = candidate
    if (keys.expires !== undefined && keys.expires <= now) return 'expired'
    if (byId(text.event.id)) return 'duplicate'
    const deletion = deletionOf(candidate)
    if (deletion) {
      replaceByDeleted(candidate, deletion)
      return 'deleted'
    }
    if (known.isTooMuch(candidate)) return 'too much'
    return isOrdered && namesOthers(candidate) ? 'foreign' : undefined
  }

  /** A version that comes after its deletion still replaces older ones, as it would have done before. */
  function replaceByDeleted({ text, keys, address, versionTarget }: Candidate, { seq: by }: KnownMark): void {
    if (isOrdered || address === undefined || versionTarget === undefined) return
    const current = byAddress(address)
    if (current && !isNewer(current.event, text.event)) remove(current)
    addMark({ target: versionTarget, until: keys.place }, by)
  }

  function addMark(mark: Mark, by: number): void {
    if (mark.until > (newMarks.get(mark.target)?.until ?? Number.NEGATIVE_INFINITY))
      newMarks.set(mark.target, { ...mark, seq: by })
  }

  function add({ text, keys, targets, address }: Candidate): void {
    const one: Added = { seq: seq++, event: text.event, keys, text }
    added.set(one.seq, one)
    newById.set(one.event.id, one)
    if (address !== undefined) newByAddress.set(address, one)
    if (targets) applyDeletion(one, targets)
  }

  function remove(stored: Stored): void {
    newById.delete(stored.event.id)
    const address = addressText(stored.event)
    if (address !== undefined) newByAddress.delete(address)
    if (!added.delete(stored.seq)) removed.set(stored.seq, stored)
  }

  function applyDeletion({ event: deletion, seq }: Added, targets: DeletionTargets): void {
    for (const mark of marksOf(deletion, targets)) addMark(mark, seq)
    for (const id of targets.ids) {
      const named = byId(id)
      if (named && mayDelete(deletion, named.event, rules)) removeVersion(named, seq)
    }
    for (const address of targets.addresses) {
      const named = byAddress(address)
      if (named && named.event.created_at <= deletion.created_at) remove(named)
    }
  }

  /** What has expired counts as absent: it leaves no mark. */
  function removeVersion(stored: Stored, by: number): void {
    const address = isOrdered ? undefined : addressText(stored.event)
    if (address !== undefined && !isOver(stored))
      addMark({ target: versionTargetOf(address), until: stored.keys.place }, by)
    remove(stored)
  }

  const namesOthers = ({ text, targets }: Candidate): boolean =>
    targets !== undefined &&
    (targets.isForeign ||
      targets.ids.some((id) => {
        const named = byId(id)
        return named !== undefined && isForeign(text.event, named.event) && !isOver(named)
      }))

  /** The later one of the stored mark and that of the batch. */
  function markOf(target: string): KnownMark | undefined {
    const [before, added] = [known.markOf(target), newMarks.get(target)]
    return before && added ? (added.until > before.until ? added : before) : (added ?? before)
  }

  const deletionOf = ({ text, refusingTargets }: Candidate): KnownMark | undefined =>
    refusingTargets.map(markOf).find((mark) => mark !== undefined && text.event.created_at <= mark.until)

  const isBehindDeletedVersion = ({ keys, versionTarget }: Candidate): boolean =>
    !isOrdered &&
    versionTarget !== undefined &&
    keys.place <= (markOf(versionTarget)?.until ?? Number.NEGATIVE_INFINITY)

  return {
    admit,
    outcome: () => ({ added: [...added.values()], removed: [...removed.values()], marks: [...newMarks.values()] }),
  }
}

/** The later version wins; within one second the lowest id (NIP-01). */
const isNewer = (a: NostrEvent, b: NostrEvent): boolean =>
  a.created_at > b.created_at || (a.created_at === b.created_at && a.id < b.id)
