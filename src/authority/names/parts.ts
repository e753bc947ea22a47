// Dependencies of looking up and claiming names.
import type { AuthoritySettings, PaidAccess } from '../api.js'
import type { Clock, NameChanges, NameReads, PublicLookups } from '../ports.js'

export interface NamesParts {
  readonly store: NameReads & NameChanges
  /** Default: the store. */
  readonly lookups?: PublicLookups | undefined
  readonly clock: Pick<Clock, 'now'>
  readonly settings: Pick<AuthoritySettings, 'domain' | 'nameMin' | 'nameMax' | 'cooldownSeconds' | 'reserved'>
  readonly paid: Pick<PaidAccess, 'requireName'>
  /** False: the disk is full. */
  readonly hasRoom?: (() => boolean) | undefined
}
