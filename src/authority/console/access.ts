// Where the pages find the names: in this process, or beside it.
import type { Clock } from '../../lib/ports.js'
import { createNameAdmin, type NameAdmin } from '../admin/index.js'
import type { OperatorStore } from '../admin/ports.js'
import { createReservedCheck } from '../names/rules.js'

/** Where the names are; `edit` is for what changes something. Both throw CONSOLE_NAMES_UNREACHABLE while names beside this process cannot be read. */
export interface NameAccess {
  read<T>(work: (admin: NameAdmin, domain: string) => Promise<T>): Promise<T>
  edit<T>(work: (admin: NameAdmin) => Promise<T>): Promise<T>
}

interface OwnNames {
  readonly store: OperatorStore
  readonly clock: Pick<Clock, 'now'>
  readonly names: {
    readonly domain: string
    readonly nameMin: number
    readonly nameMax: number
    readonly reserved: readonly string[]
  }
}

/** Of the authority in this process. */
export function namesOf({ store, clock, names }: OwnNames): NameAccess {
  const { domain, nameMin, nameMax, reserved } = names
  const isReserved = createReservedCheck({ domain, extra: reserved })
  const admin = createNameAdmin({ store, clock, bounds: { nameMin, nameMax }, isReserved })
  return { read: (work) => work(admin, domain), edit: (work) => work(admin) }
}
