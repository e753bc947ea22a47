// The services that keep their rows in PostgreSQL, each in a schema of its own, and the steps of that schema.
import type { DaemonName } from '../../lib/daemon-names.js'
import { NAME_STEPS } from './names/schema.js'
import { RELAY_LOG_STEPS } from './relay-log/schema.js'
import { TILL_STEPS } from './till/schema.js'

export interface PostgresService {
  /** Stands in `schema_version`, so that no service takes the schema of another one. */
  readonly name: 'names' | 'till' | 'relay'
  /** Whose schema it is, for the operator. */
  readonly owner: string
  readonly daemon: DaemonName
  /** SQL texts, forward only; the first is step 1. A version runs on its own step and on the next one. */
  readonly steps: readonly string[]
}

export const NAMES_SERVICE: PostgresService = {
  name: 'names',
  owner: 'name authority',
  daemon: 'nameauth',
  steps: NAME_STEPS,
}
export const TILL_SERVICE: PostgresService = { name: 'till', owner: 'till', daemon: 'pay', steps: TILL_STEPS }
export const RELAY_LOG_SERVICE: PostgresService = {
  name: 'relay',
  owner: 'relay',
  daemon: 'relay',
  steps: RELAY_LOG_STEPS,
}
