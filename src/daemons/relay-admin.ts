// The operator's actions on stored events: statistics, deletion, pruning, backup. The relay may run meanwhile.
import { rmSync, statSync } from 'node:fs'
import type { RelayConfig } from '../config/index.js'
import { messageOf } from '../lib/errors.js'
import { GIFT_WRAP_KIND } from '../nostr/event/index.js'
import type { Filter } from '../nostr/filter/index.js'
import { createTerms, NOTE_KINDS } from '../relay/policy/index.js'
import { changeEvents, type EventReader, isRelayServed, openEventReader } from '../storage/index.js'
import { systemClock } from '../system/index.js'
import { eventsFileUnwritable, retentionNotSet } from './errors.js'
import { openListStore, writeAudit } from './parts/relay/lists.js'
import { policySettings } from './parts/relay/settings.js'

/** The `--json` document of `relay stats`; times as ISO 8601. */
export interface StatsView {
  readonly database: string
  readonly running: boolean
  readonly events: number
  /** Gift wraps among them. */
  readonly wraps: number
  /** Events with an expiration. */
  readonly expiring: number
  readonly oldest: string | null
  readonly newest: string | null
  /** Bytes of the file without its free pages. */
  readonly bytes: number
  readonly file_bytes: number
  /** Bytes of the write-ahead log. */
  readonly log_bytes: number
  readonly kinds: readonly { readonly kind: number; readonly events: number }[]
  /** Null: no retention. */
  readonly retention: RetentionView | null
}

/** Null: no such rule. If `kinds` is not empty, only these and their ranges ("20000-29999") are deleted; events of `keep_authors` stay. */
interface RetentionView {
  readonly days: number | null
  readonly max_events: number | null
  readonly max_bytes: number | null
  readonly kinds: readonly (number | string)[]
  readonly keep_authors: readonly string[]
}

const clock = systemClock

/** Throws DATABASE_MISSING and the like. */
export async function relayStats({ dbPath: path, retention = undefined }: RelayConfig): Promise<StatsView> {
  const { events, bytes, kinds, oldest, newest, expiring } = await withReader(path, (reader) => reader.stats())
  const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0
  return {
    database: path,
    running: await isRelayServed({ path, clock }),
    events,
    wraps: kinds.find(({ kind }) => kind === GIFT_WRAP_KIND)?.events ?? 0,
    expiring,
    oldest: isoText(oldest),
    newest: isoText(newest),
    bytes,
    file_bytes: sizeOf(path),
    log_bytes: sizeOf(`${path}-wal`),
    kinds,
    retention: retention ? retentionView(retention) : null,
  }
}

const retentionView = (rules: NonNullable<RelayConfig['retention']>): RetentionView => ({
  days: rules.days ?? null,
  max_events: rules.maxEvents ?? null,
  max_bytes: rules.maxBytes ?? null,
  kinds: (rules.kinds ?? []).map((kind) => (typeof kind === 'number' ? kind : `${kind.first}-${kind.last}`)),
  keep_authors: rules.keepAuthors,
})

const isoText = (seconds: number | undefined): string | null =>
  seconds === undefined ? null : new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')

export interface DeleteOrder {
  readonly filter: Filter
  /** Includes gift wraps. */
  readonly wraps: boolean
  /** For the audit log. */
  readonly reason: string
  readonly isDryRun: boolean
  /** Called with the number of events before the first change; rejects to stop. */
  agree(events: number): Promise<void>
}

export interface RemovedView {
  /** Matching events; an estimate for pruning by size. */
  readonly matching: number
  readonly removed: number
  readonly dry_run: boolean
}

/** Throws DATABASE_MISSING, DATABASE_WRITE_FAILED, and what `agree` throws. */
export async function deleteEvents({ dbPath: path }: RelayConfig, order: DeleteOrder): Promise<RemovedView> {
  const { filter, wraps, reason, isDryRun } = order
  const spared = wraps ? {} : { kinds: [GIFT_WRAP_KIND] }
  const matching = await withReader(path, (reader) => reader.removable([filter], spared))
  if (isDryRun || matching === 0) return { matching, removed: 0, dry_run: isDryRun }
  await order.agree(matching)
  const removed = await changeEvents({ path, clock }, { kind: 'remove', filters: [filter], spared })
  await audit(path, { do: 'delete', filter, wraps, removed, reason })
  return { matching, removed, dry_run: false }
}

export interface EventPruneOrder extends Pick<DeleteOrder, 'isDryRun' | 'agree'> {
  /** Also deletes public notes of authors who may no longer write them. */
  readonly unauthorised: boolean
}

/** Applies the retention settings now; gift wraps stay. Throws RETENTION_NOT_SET, and what `deleteEvents` throws. */
export async function pruneEvents(config: RelayConfig, order: EventPruneOrder): Promise<RemovedView> {
  const { dbPath: path, retention } = config
  const { unauthorised, isDryRun, agree } = order
  if (!retention && !unauthorised) throw retentionNotSet()
  const notes = unauthorised ? await unauthorisedNotes(config) : undefined
  const matching = await withReader(path, async (reader) => {
    const [old, foreign] = [
      retention ? await reader.prunable(retention) : 0,
      notes ? await reader.removable(notes.filters, notes.spared) : 0,
    ]
    return old + foreign
  })
  if (isDryRun || matching === 0) return { matching, removed: 0, dry_run: isDryRun }
  await agree(matching)
  const removed =
    (notes ? await changeEvents({ path, clock }, { kind: 'remove', ...notes }) : 0) +
    (retention ? await changeEvents({ path, clock }, { kind: 'prune', retention }) : 0)
  await audit(path, { do: 'prune', retention: retention ?? null, unauthorised, removed })
  return { matching, removed, dry_run: false }
}

/** Undefined where everyone may write public notes. */
async function unauthorisedNotes(config: RelayConfig) {
  const lists = await openListStore({ dbPath: config.dbPath, clock })
  const { authors } = createTerms(policySettings(config), { current: lists.read })()
  if (authors === 'everyone') return undefined
  return { filters: [{ kinds: [...NOTE_KINDS], tags: [] }], spared: { authors: [...authors] } }
}

export interface EventBackupView {
  readonly file: string
  readonly bytes: number
}

/** Copies the database to a new file (0600). Throws EVENTS_FILE_UNWRITABLE, DATABASE_MISSING. */
export async function backUpEvents({ dbPath: path }: RelayConfig, file: string): Promise<EventBackupView> {
  if (isThere(file)) throw eventsFileUnwritable(file, 'it is there already')
  await withReader(path, async (reader) => {
    try {
      await reader.copyTo(file)
    } catch (thrown) {
      rmSync(file, { force: true })
      throw eventsFileUnwritable(file, messageOf(thrown))
    }
  })
  return { file, bytes: statSync(file).size }
}

function isThere(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) !== undefined
  } catch (thrown) {
    throw eventsFileUnwritable(file, messageOf(thrown))
  }
}

const audit = (dbPath: string, done: Readonly<Record<string, unknown>>): Promise<void> =>
  writeAudit({ dbPath, clock }, { by: 'command', ...done })

async function withReader<T>(path: string, work: (reader: EventReader) => Promise<T>): Promise<T> {
  const reader = await openEventReader({ path, clock })
  try {
    return await work(reader)
  } finally {
    await reader.close()
  }
}
