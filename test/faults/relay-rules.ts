// What must be in a relay's database, and what must not, given everything that its clients sent, and the replies.
import type { Attempt, RelayLog, Sent } from './relay-log.js'
import { addressOf, expiryOf, type Kept, place, type Stored, type StoredFile, versionTarget } from './relay-stored.js'

type StoredEvents = ReadonlyMap<string, Stored>

interface Case {
  readonly log: RelayLog
  readonly stored: StoredEvents
  /** Epoch seconds. */
  readonly now: number
  readonly deletions: Deletions
  /** Everything that was ever sent, by address. */
  readonly versions: ReadonlyMap<string, readonly Sent[]>
}

/** What stored deletions forbid; `early`: also those that a reply calls stored. */
interface Deletions {
  readonly ids: ReadonlyMap<string, readonly Kept[]>
  readonly addresses: ReadonlyMap<string, readonly Kept[]>
}

const isEphemeral = (kind: number): boolean => kind >= 20_000 && kind < 30_000
const DELETION = 5
const WRAP = 1059
const NEVER = Number.POSITIVE_INFINITY

/** `now` in epoch seconds. */
export function ruleFaults(
  log: RelayLog,
  { events: stored, versionMarks }: Pick<StoredFile, 'events' | 'versionMarks'>,
  now: number,
): readonly string[] {
  const versions = groupBy([...log.sent.values()], addressOf)
  const one: Case = { log, stored, now, deletions: deletionsIn(stored), versions }
  return [
    ...[...log.sent.values()].flatMap((sent) => [
      ...lossOf(sent, one),
      ...presenceOf(sent, one),
      ...wrongAnswers(sent, one),
    ]),
    ...[...stored.values()].flatMap((kept) => strangeness(kept, one)),
    ...versionFaults(stored),
    ...versionMarkFaults(versionMarks, one),
  ]
}

function lossOf(sent: Sent, one: Case): string[] {
  const isPromised = sent.attempts.some(({ reply }) => reply?.accepted)
  if (!isPromised || isEphemeral(sent.kind) || one.stored.has(sent.id) || mayBeGone(sent, one)) return []
  return [`lost ${nameOf(sent)}`]
}

/** Whether a rule may have taken an acknowledged event away. */
function mayBeGone(sent: Sent, { log, stored, now, deletions, versions }: Case): boolean {
  if (isForbidden(sent, deletions)) return true
  if ((expiryOf(sent) ?? NEVER) <= now) return true
  const lastAcceptedAt = Math.max(...sent.attempts.filter(({ reply }) => reply?.accepted).map(({ sentAt }) => sentAt))
  if (log.orders.some(({ takes, endedAt }) => takes(sent) && endedAt > lastAcceptedAt)) return true
  const rivals = versions.get(addressOf(sent) ?? '') ?? []
  return rivals.some((rival) => isNewer(rival, sent) && (stored.has(rival.id) || wasStored(rival, deletions)))
}

const wasStored = (sent: Sent, deletions: Deletions): boolean =>
  sent.attempts.some(({ reply }) => reply?.accepted) || isForbidden(sent, deletions)

function presenceOf(sent: Sent, one: Case): string[] {
  const { log, stored, deletions } = one
  const kept = stored.get(sent.id)
  if (!kept) return []
  const what = nameOf(sent)
  const faults: string[] = []
  if (kept.digest !== sent.digest) faults.push(`another text than was sent: ${what}`)
  if (isEphemeral(sent.kind)) faults.push(`kept though ephemeral: ${what}`)
  if (!sent.good) faults.push(`kept though wrong: ${what}`)
  if (isForbidden(sent, deletions)) faults.push(`kept though deleted: ${what}`)
  if (sent.attempts.some((attempt) => isLastWord(attempt, sent))) faults.push(`kept though refused: ${what}`)
  const isOrdered = log.orders.some(
    ({ takes, sentAt, done }) => done && takes(sent) && sent.attempts.every(({ endedAt }) => endedAt < sentAt),
  )
  if (isOrdered) faults.push(`kept though removed by the operator: ${what}`)
  return faults
}

/** A refusal after everything else that could have stored the event; what has expired is refused while it waits for the sweep. */
const isLastWord = (refusal: Attempt, sent: Sent): boolean =>
  refusal.reply?.accepted === false &&
  expiryOf(sent) === undefined &&
  sent.attempts.every((other) => other === refusal || other.reply?.accepted === false || other.endedAt < refusal.sentAt)

/** Every reply has to have a reason. */
function wrongAnswers(sent: Sent, one: Case): string[] {
  return sent.attempts.flatMap(({ reply, sentAt }) => {
    if (!reply) return []
    const why = reply.accepted ? wrongYes(sent, sentAt, one) : wrongNo(sent, reply.text, one)
    return why === undefined ? [] : [`${why}: ${nameOf(sent)} was answered ${reply.accepted} "${reply.text}"`]
  })
}

function wrongYes(sent: Sent, sentAt: number, { log, stored }: Case): string | undefined {
  if (!sent.good) return 'it is wrong'
  if (isEphemeral(sent.kind)) return undefined
  const wasKnown = ({ id }: Kept) =>
    log.sent.get(id)?.attempts.some(({ reply, endedAt }) => reply?.accepted && endedAt < sentAt) === true
  return isForbidden(sent, deletionsIn(stored, wasKnown, sent)) ? 'it was deleted before' : undefined
}

function wrongNo(sent: Sent, text: string, { deletions, versions }: Case): string | undefined {
  if (!sent.good) return text.startsWith('invalid: ') || text.startsWith('blocked: ') ? undefined : 'a bad word'
  if (text.startsWith('deleted: ')) return isForbidden(sent, deletions) ? undefined : 'no client deleted it'
  if (text.startsWith('invalid: ') && (expiryOf(sent) !== undefined || isEphemeral(sent.kind))) return undefined
  if (!text.startsWith('replaced: ')) return 'there is nothing wrong with it'
  const rivals = versions.get(addressOf(sent) ?? '') ?? []
  return rivals.some((rival) => isNewer(rival, sent)) ? undefined : 'there is no newer one'
}

function strangeness({ event }: Stored, { log }: Case): string[] {
  return log.sent.has(event.id) ? [] : [`no client sent ${event.id} of kind ${event.kind}`]
}

function versionFaults(stored: StoredEvents): string[] {
  const groups = groupBy(
    [...stored.values()].map(({ event }) => event),
    addressOf,
  )
  return [...groups].flatMap(([address, events]) =>
    events.length > 1 ? [`${events.length} versions of ${address}`] : [],
  )
}

/** Each mark is the place of a version that a stored deletion forbids, none is missing, and no older version is kept behind it. */
function versionMarkFaults(marks: StoredFile['versionMarks'], one: Case): string[] {
  const faults: string[] = []
  const untils = new Map(marks.map(({ target, until }) => [target, until]))
  const forbidden = new Map<string, number[]>()
  for (const [address, versions] of one.versions) {
    const target = versionTarget(address)
    const deleted = versions.filter((sent) => isForbidden(sent, one.deletions))
    forbidden.set(target, deleted.map(place))
    const until = untils.get(target) ?? Number.NEGATIVE_INFINITY
    for (const sent of deleted)
      if (place(sent) > until && leavesMark(sent, versions, one)) faults.push(`no mark of the deleted ${nameOf(sent)}`)
    for (const sent of versions)
      if (one.stored.has(sent.id) && place(sent) <= until)
        faults.push(`kept though a later one is gone: ${nameOf(sent)}`)
  }
  const strays = marks.filter(({ target, until }) => !forbidden.get(target)?.includes(until))
  return [...faults, ...strays.map(({ target, until }) => `deletion has a stray row ${target},${until}`)]
}

/** Whether it certainly came after its deletion, or was there when it was deleted by its id. */
function leavesMark(sent: Sent, versions: readonly Sent[], { deletions }: Case): boolean {
  if (expiryOf(sent) !== undefined) return false
  if (sent.attempts.some(({ reply }) => reply?.text.startsWith('deleted: '))) return true
  const wasTaken = sent.attempts.some(({ reply }) => reply?.accepted)
  return wasTaken && !isForbiddenByAddress(sent, deletions) && !versions.some((rival) => isNewer(rival, sent))
}

/** Later, or of the same second with a lower id. */
const isNewer = (a: Pick<Kept, 'id' | 'created_at'>, b: Pick<Kept, 'id' | 'created_at'>): boolean =>
  a.created_at > b.created_at || (a.created_at === b.created_at && a.id < b.id)

/** Whether a deletion of its own author names it. Deletions themselves and gift wraps stay. */
function isForbidden(
  sent: Pick<Sent, 'id' | 'pubkey' | 'kind' | 'created_at' | 'tags'>,
  deletions: Deletions,
): boolean {
  if (sent.kind === DELETION || sent.kind === WRAP) return false
  const byId = deletions.ids.get(sent.id)?.some(({ pubkey }) => pubkey === sent.pubkey)
  return byId === true || isForbiddenByAddress(sent, deletions)
}

function isForbiddenByAddress(sent: Pick<Sent, 'pubkey' | 'kind' | 'created_at' | 'tags'>, { addresses }: Deletions) {
  const naming = addresses.get(addressOf(sent) ?? '') ?? []
  return naming.some(({ pubkey, created_at }) => pubkey === sent.pubkey && created_at >= sent.created_at)
}

const cache = new WeakMap<StoredEvents, Deletions>()

/** Those that are stored; with `only` those of them that it lets through, of what concerns one event. */
function deletionsIn(stored: StoredEvents, only?: (deletion: Kept) => boolean, about?: Sent): Deletions {
  const all = cache.get(stored) ?? allDeletions(stored)
  cache.set(stored, all)
  if (!only || !about) return all
  const address = addressOf(about) ?? ''
  return {
    ids: new Map([[about.id, (all.ids.get(about.id) ?? []).filter(only)]]),
    addresses: new Map([[address, (all.addresses.get(address) ?? []).filter(only)]]),
  }
}

function allDeletions(stored: StoredEvents): Deletions {
  const named = (letter: string) => {
    const found = new Map<string, Kept[]>()
    for (const { event } of stored.values())
      if (event.kind === DELETION)
        for (const [name, value = ''] of event.tags)
          if (name === letter) found.set(value, [...(found.get(value) ?? []), event])
    return found
  }
  return { ids: named('e'), addresses: named('a') }
}

function groupBy<T>(all: readonly T[], keyOf: (one: T) => string | undefined): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const one of all) {
    const key = keyOf(one)
    if (key === undefined) continue
    const group = groups.get(key)
    if (group) group.push(one)
    else groups.set(key, [one])
  }
  return groups
}

const nameOf = ({ id, kind }: Sent): string => `${id} of kind ${kind}`
