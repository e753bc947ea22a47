// The operator's lists of a running relay: changed over HTTP, by commands or by hand, effective within seconds.
import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { messageOf } from '../../../lib/errors.js'
import { applyChange, type ListChange, type ListSource, type OperatorLists } from '../../../relay/index.js'
import { openRelayLists } from '../../../storage/index.js'
import {
  appendLine,
  createWhileLocked,
  replaceFileForFolder,
  type SystemClock,
  type SystemLog,
} from '../../../system/index.js'
import type { Part } from '../../runtime.js'
import { createLoop } from '../loop.js'

export interface LiveListsParts {
  /** Path of relay.db; the lists lie beside it. */
  readonly dbPath: string
  readonly clock: SystemClock
  readonly log: SystemLog
  /** Deletes banned events; ids are 64 hex. */
  readonly removeEvents: (ids: readonly string[]) => Promise<unknown>
}

/** The author of a change: `command`, a manager's key, or `console: ` and a person. */
export type Changer = string

export interface LiveLists extends ListSource {
  /** Reloads the file. A damaged one is logged, and the lists stay unchanged. */
  reload(): Promise<void>
  /** Resolves when the change is in force and on the disk. Throws LIST_ENTRY_INVALID, LIST_FULL, FILE_LOCKED, DOCUMENT_DAMAGED. */
  change(change: ListChange, by: Changer): Promise<void>
  /** Watches the file. */
  readonly part: Part
}

const POLL_MS = 2000
/** Banned events deleted at a time. */
const BATCH = 500

/** Throws DOCUMENT_DAMAGED: a relay without readable bans does not start. */
export async function openLiveLists({ dbPath, clock, log, removeEvents }: LiveListsParts): Promise<LiveLists> {
  const store = await openListStore({ dbPath, clock })
  let current = store.read()
  let seen = store.stamp()
  await takeOut(new Map())

  /** Banned events cannot arrive meanwhile: the policy refuses them already. */
  async function takeOut(before: OperatorLists['bannedEvents']): Promise<void> {
    const { bannedEvents } = current
    if (bannedEvents === before) return
    const fresh = [...bannedEvents.keys()].filter((id) => !before.has(id))
    for (let at = 0; at < fresh.length; at += BATCH) await removeEvents(fresh.slice(at, at + BATCH))
  }

  async function adopt(lists: OperatorLists): Promise<void> {
    const before = current
    current = lists
    await takeOut(before.bannedEvents)
  }

  async function reload(): Promise<void> {
    seen = store.stamp()
    try {
      await adopt(await store.reload())
      log.info({ ...countsOf(current) }, 'lists of the operator read')
    } catch (error) {
      log.error({ cause: messageOf(error) }, 'the lists of the operator cannot be read and stay as they were')
    }
  }

  return {
    current: () => current,
    reload,
    async change(change, by) {
      await adopt(await store.change(change, by))
      // The entry may be an address or key of a person: it goes to the audit log only.
      const changed = change.do === 'say' ? change.what : change.list
      log.info({ do: change.do, changed, by }, 'lists of the operator changed')
    },
    part: createLoop({
      name: 'relay-lists',
      everyMs: POLL_MS,
      pass: async () => {
        if (store.stamp() !== seen) await reload()
      },
      sleep: clock.sleep,
      log,
    }),
  }
}

export const countsOf = ({ info: _info, ...lists }: OperatorLists): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(lists).map(([name, entries]) => [name, entries.size]))

/** True when the operator has said nothing. */
export const areEmpty = (lists: OperatorLists): boolean =>
  Object.values(countsOf(lists)).every((entries) => entries === 0) &&
  Object.values(lists.info).every((text) => text === undefined)

export interface ListStore {
  read(): OperatorLists
  reload(): Promise<OperatorLists>
  /** Also writes the line of the audit log. `at`, the time of new entries, is epoch milliseconds; absent: now. */
  change(change: ListChange, by: Changer, at?: number): Promise<OperatorLists>
  /** Differs when the file has changed. */
  stamp(): string
}

export const LISTS_FILE = 'relay-lists.json'
const AUDIT_FILE = 'relay-audit.jsonl'

/** Of a relay with this database. */
export const listsFile = (dbPath: string): string => join(dirname(dbPath), LISTS_FILE)

/** Throws DOCUMENT_DAMAGED. */
export async function openListStore({ dbPath, clock }: Pick<LiveListsParts, 'dbPath' | 'clock'>): Promise<ListStore> {
  const path = listsFile(dbPath)
  const document = await openRelayLists({ path, replace: replaceFileForFolder, whileLocked: createWhileLocked(clock) })
  return {
    read: () => document.read(),
    reload: () => document.reload(),
    async change(change, by, at = clock.now()) {
      const lists = await document.update((before) => applyChange(before, change, at))
      await writeAudit({ dbPath, clock }, { by, ...change })
      return lists
    },
    stamp() {
      const found = statSync(path, { throwIfNoEntry: false })
      return found === undefined ? 'none' : `${found.ino} ${found.mtimeMs} ${found.size}`
    },
  }
}

/** Appends a line to the audit log beside the database; on the disk when it resolves. */
export async function writeAudit(
  { dbPath, clock }: Pick<LiveListsParts, 'dbPath' | 'clock'>,
  done: { readonly by: Changer } & Readonly<Record<string, unknown>>,
): Promise<void> {
  const line = { at: new Date(clock.now()).toISOString(), ...done }
  await appendLine(join(dirname(dbPath), AUDIT_FILE), JSON.stringify(line))
}
