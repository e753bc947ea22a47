// The operator's lists of a relay with several front ends. Every change goes through the log; the file is the copy of this machine.
import { messageOf } from '../../../lib/errors.js'
import { applyChange, changesBetween, type LogChange, type OperatorLists } from '../../../relay/index.js'
import { createLoop } from '../loop.js'
import { type Changer, countsOf, type LiveLists, type LiveListsParts, openListStore } from './lists.js'

type ListsEntry = Extract<LogChange, { readonly type: 'lists' }>

export interface SharedLists extends LiveLists {
  /** Applies an entry of the log; resolves with the ids that it bans. `at` is epoch milliseconds. */
  apply(entry: ListsEntry, at: number): Promise<readonly string[]>
}

interface Parts extends Pick<LiveListsParts, 'dbPath' | 'clock' | 'log'> {
  /** Resolves when the change was applied here. */
  readonly append: (change: LogChange) => Promise<void>
}

const POLL_MS = 2000
/** The author of changes that were found in the file. */
const BY_FILE: Changer = 'file'

/** Throws DOCUMENT_DAMAGED. */
export async function openSharedLists({ dbPath, clock, log, append }: Parts): Promise<SharedLists> {
  const store = await openListStore({ dbPath, clock })
  let current = store.read()
  let seen = store.stamp()

  /** What commands and editors wrote into the file goes to the other front ends. */
  async function reload(): Promise<void> {
    const stamp = store.stamp()
    try {
      const changes = changesBetween(current, await store.reload())
      for (const change of changes) await append({ type: 'lists', change, by: BY_FILE })
      seen = stamp
      if (changes.length > 0) log.info({ ...countsOf(current) }, 'lists of the operator read')
    } catch (error) {
      log.error(
        { cause: messageOf(error) },
        'the lists of the operator cannot be read or passed on, and stay as they were',
      )
    }
  }

  return {
    current: () => current,
    reload,
    async change(change, by) {
      applyChange(current, change, clock.now())
      await append({ type: 'lists', change, by })
    },
    async apply({ change, by }, at) {
      const before = current
      const after = changed(() => applyChange(before, change, at))
      if (!after) return []
      // The file may hold changes that still wait for their entries, so it is not what counts; the next look at it compares.
      await store.change(change, by, at)
      current = after
      log.info(
        { do: change.do, changed: change.do === 'say' ? change.what : change.list, by },
        'lists of the operator changed',
      )
      return [...after.bannedEvents.keys()].filter((id) => !before.bannedEvents.has(id))
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

/** Undefined: a list has become full since the change was accepted; then no front end applies it. */
function changed(change: () => OperatorLists): OperatorLists | undefined {
  try {
    return change()
  } catch {
    return undefined
  }
}
