// What the checks of a name authority work with.
import type { Environment, NameauthConfig } from '../../config/index.js'
import type { DoctorCheck, DoctorClock, ServicePlaces } from '../check.js'
import type { RoomOf } from '../disk.js'

export interface NameContext {
  readonly environment: Environment
  readonly config: NameauthConfig
  readonly clock: DoctorClock
  readonly roomOf: RoomOf
  readonly services: ServicePlaces
  /** Time is up. */
  readonly signal: AbortSignal
}

export type NameCheck = DoctorCheck<NameContext>
