// The operator's admin on the database of this machine, for as long as one command takes. The authority may run meanwhile, or not.
import { createNameAdmin, createReservedCheck, type NameAdmin } from '../authority/admin/index.js'
import { openNameReader, openNameStore } from '../storage/index.js'
import { systemClock } from '../system/index.js'
import type { PricedBy } from './name-chain.js'

export interface NameAdminSettings {
  /** Of a database that exists. */
  readonly path: string
  readonly domain: string
  /** In characters. */
  readonly nameMin: number
  readonly nameMax: number
  /** The operator's own reserved names. */
  readonly reserved: readonly string[]
}

/** For looking: nothing is written, and verbs that change something reject. Throws DATABASE_MISSING, DATABASE_FOREIGN and the like. */
export async function readNames<T>(settings: NameAdminSettings, work: (admin: NameAdmin) => Promise<T>): Promise<T> {
  return using(await openNameReader(settings), settings, work)
}

/** For changing. Throws what `readNames` throws. */
export async function editNames<T>(settings: NameAdminSettings, work: (admin: NameAdmin) => Promise<T>): Promise<T> {
  return using(await openNameStore({ path: settings.path, now: systemClock.now, mustExist: true }), settings, work)
}

/** Of which chain the prices are; undefined where it is not known. Asks the till or a node, at most 2 s. */
export const chainOfPrices = async (by: PricedBy): Promise<string | undefined> =>
  (await import('./name-chain.js')).chainOfNames(by)

type Opened = Awaited<ReturnType<typeof openNameReader>>

async function using<T>(
  store: Opened,
  settings: NameAdminSettings,
  work: (admin: NameAdmin) => Promise<T>,
): Promise<T> {
  const { domain, reserved, nameMin, nameMax } = settings
  try {
    const isReserved = createReservedCheck({ domain, extra: reserved })
    return await work(createNameAdmin({ store, clock: systemClock, bounds: { nameMin, nameMax }, isReserved }))
  } finally {
    await store.close()
  }
}
