// What the main thread and the thread of an export or import say to each other.
import type { Filter } from '../../../../nostr/filter/index.js'
import type { ImportCounts } from '../../../../relay/index.js'

export interface ExportTask {
  readonly kind: 'export'
  readonly dbPath: string
  /** The finished file; until then `partOf` it. */
  readonly path: string
  readonly filter: Filter
}

export interface ImportTask {
  readonly kind: 'import'
  readonly path: string
  /** Of the running relay, on this machine. */
  readonly url: string
  readonly maxMessageBytes: number
}

export type MoveTask = ExportTask | ImportTask

interface MoveTotals {
  readonly totalEvents: number | null
  readonly totalBytes: number | null
}

export interface MoveProgress {
  readonly events: number
  readonly bytes: number
  /** Of an import, after its first batch. */
  readonly counts?: ImportCounts | undefined
}

export interface MoveProblem {
  readonly code: string
  readonly text: string
  readonly status: number
  readonly hint: string
}

export type FromMove =
  /** Nothing keeps it from beginning. */
  | ({ readonly kind: 'begun' } & MoveTotals)
  | ({ readonly kind: 'progress' } & MoveProgress)
  | ({ readonly kind: 'ended'; readonly isStopped: boolean } & MoveProgress)
  | { readonly kind: 'failed'; readonly problem: MoveProblem }

export type ToMove = 'stop'

/** What a task has at hand in its thread. */
export interface MoveContext {
  /** Aborted when it is to stop. */
  readonly signal: AbortSignal
  begun(totals: MoveTotals): void
  /** Sent on a few times a second. */
  progress(progress: MoveProgress): void
}

/** The name of an unfinished export. */
export const partOf = (path: string): string => `${path}.part`
