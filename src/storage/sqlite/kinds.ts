// The kinds of database files, distinguished by the application id in their header.
import { CONSOLE_MIGRATIONS, EVENT_MIGRATIONS, NAME_MIGRATIONS, TILL_MIGRATIONS } from '../migrations/index.js'

export interface DatabaseKind {
  /** Whose database it is, for the operator. */
  readonly owner: string
  /** Four letters in the file's header. */
  readonly applicationId: number
  /** SQL texts; the first is schema 1. */
  readonly steps: readonly string[]
}

/** pay.db; "grpy". */
export const TILL_FILE: DatabaseKind = { owner: 'till', applicationId: 0x67727079, steps: TILL_MIGRATIONS }
/** names.db; "grpn". */
export const NAMES_FILE: DatabaseKind = { owner: 'name authority', applicationId: 0x6772706e, steps: NAME_MIGRATIONS }
/** relay.db; "grpe". */
export const EVENTS_FILE: DatabaseKind = { owner: 'relay', applicationId: 0x67727065, steps: EVENT_MIGRATIONS }

/** console.db; "grpc". */
export const CONSOLE_FILE: DatabaseKind = { owner: 'console', applicationId: 0x67727063, steps: CONSOLE_MIGRATIONS }

/** Whose a file with this application id is; undefined: another program's. */
export const ownerOf = (applicationId: number): string | undefined =>
  [TILL_FILE, NAMES_FILE, EVENTS_FILE, CONSOLE_FILE].find((kind) => kind.applicationId === applicationId)?.owner
