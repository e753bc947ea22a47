// Where the console's relay desk takes its figures and lists from: the relay of this process, or the files and metrics of another one.
import type { RelayActivity, RelayFigures } from '../../../console/index.js'
import type { ListChange, OperatorLists } from '../../../relay/index.js'
import type { EventStats } from '../../../storage/index.js'

export interface RelaySource {
  readonly isBeside: boolean
  /** Undefined: not known; `unknown` says why. Does not reject. */
  figures(): Promise<RelayFigures | undefined>
  readonly unknown: string
  /** Undefined: the relay does not answer. Does not reject. */
  checks(): Promise<RelayActivity['checks']>
  /** In a thread. Rejects with DATABASE_MISSING and the like. */
  count(): Promise<EventStats>
  /** The same object until the lists change. Throws DOCUMENT_DAMAGED, CONSOLE_RELAY_LISTS. */
  lists(): Promise<OperatorLists>
  /** Resolves when the change is on the disk. */
  change(change: ListChange, by: string): Promise<void>
  close(): Promise<void>
}
