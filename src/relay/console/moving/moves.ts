// What the page "Move events" needs of the daemon. Times are epoch milliseconds. Files lie in one folder of the relay's data directory.
import type { ImportCounts } from '../../moving/import-counts.js'

/** A regular file of the folder. */
export interface EventFile {
  readonly name: string
  readonly bytes: number
  readonly modifiedAt: number
  /** False: of an export that is under way, or was killed. It is not offered for import. */
  readonly isWhole: boolean
}

export interface EventFolder {
  readonly path: string
  /** Newest first. */
  readonly files: readonly EventFile[]
  /** The folder holds more than is listed. */
  readonly isCut: boolean
}

/** One export or import. */
export interface Move {
  readonly id: string
  readonly kind: 'export' | 'import'
  readonly file: string
  /** Who started it. */
  readonly by: string
  readonly startedAt: number
  /** Null: it is under way. */
  readonly endedAt: number | null
  readonly state: 'running' | 'stopping' | 'done' | 'stopped' | 'failed'
  /** Events written, or lines answered. */
  readonly events: number
  /** Bytes written, or read. */
  readonly bytes: number
  /** Null: not known. */
  readonly totalEvents: number | null
  readonly totalBytes: number | null
  /** Of an import. */
  readonly result: ImportCounts | null
  /** Why it failed, and what to do. */
  readonly problem: { readonly code: string; readonly text: string; readonly hint: string } | null
}

export interface ExportOrder {
  /** Undefined: all. */
  readonly kinds: readonly number[] | undefined
  /** Epoch seconds, inclusive. */
  readonly since: number | undefined
  readonly until: number | undefined
}

/** Verbs that need the relay's folder throw CONSOLE_RELAY_UNREACHABLE while the settings of a relay beside cannot be read. */
export interface Moves {
  /** The one under way, then the last ten of this process, newest first. */
  moves(): readonly Move[]
  /** Throws CONSOLE_MOVE_UNREADABLE. */
  folder(): Promise<EventFolder>
  /** A file that can be imported. Throws CONSOLE_MOVE_FILE, CONSOLE_MOVE_UNREADABLE. */
  file(name: string): Promise<EventFile>
  /** The content of such a file, in chunks. Throws what `file` throws. */
  read(name: string): Promise<AsyncIterable<Uint8Array>>
  /** Throws CONSOLE_MOVE_BUSY, CONSOLE_MOVE_STOPPING, and what keeps the export from beginning: CONSOLE_MOVE_ROOM and the like. */
  startExport(order: ExportOrder, by: string): Promise<Move>
  /** Throws as `startExport` and `file` do, also CONSOLE_MOVE_NO_EVENTS, CONSOLE_MOVE_RELAY. */
  startImport(name: string, by: string): Promise<Move>
  /** Throws CONSOLE_MOVE_ENDED. */
  stop(id: string): Move
  /** Differs when open pages shall load themselves again. Cheap. */
  mark(): string
}
