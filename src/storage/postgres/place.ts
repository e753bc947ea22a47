// Where a service keeps its rows, and what opening a connection there needs.
import type { DatabaseAddress } from '../../lib/database-address.js'
import type { Clock, Log } from '../../lib/ports.js'
import type { PostgresService } from './services.js'

export interface DatabasePlace {
  readonly address: DatabaseAddress
  readonly schema: string
  /** `single`: commits may be on one machine only; for tests and sandboxes. */
  readonly unsafe?: 'single' | undefined
}

export interface PostgresRandom {
  bytes(length: number): Uint8Array
  uuid(): string
}

/** What everything in this folder is built from. */
export interface PostgresParts {
  readonly place: DatabasePlace
  readonly service: PostgresService
  readonly clock: Clock
  readonly random: PostgresRandom
  readonly log?: Pick<Log, 'info' | 'warn'> | undefined
}
