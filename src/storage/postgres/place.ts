// Where a service keeps its rows, and what opening a connection there needs.
import type { DatabaseAddress } from '../../lib/database-address.js'
import type { PostgresService } from './services.js'

export interface DatabasePlace {
  readonly address: DatabaseAddress
  readonly schema: string
  /** `single`: commits may be on one machine only; for tests and sandboxes. */
  readonly unsafe?: 'single' | undefined
}

export interface PostgresClock {
  now(): number
  monotonic(): number
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export interface PostgresRandom {
  bytes(length: number): Uint8Array
  uuid(): string
}

export interface PostgresLog {
  info(fields: object, text: string): void
  warn(fields: object, text: string): void
}

/** What everything in this folder is built from. */
export interface PostgresParts {
  readonly place: DatabasePlace
  readonly service: PostgresService
  readonly clock: PostgresClock
  readonly random: PostgresRandom
  readonly log?: PostgresLog | undefined
}
