// Opens the name database of this machine for one command, while the authority runs or not.

import { createNameAdmin, createReservedCheck, type NameAdmin } from '../authority/admin/index.js'
import type { OperatorStore } from '../authority/index.js'
import { type DatabasePlace, openNameReader, openNameStore, openSharedNames } from '../storage/index.js'
import { systemClock, systemRandom } from '../system/index.js'

export interface NameAdminSettings {
  /** Of a database that exists; not used with `database`. */
  readonly path: string
  /** Names in PostgreSQL. */
  readonly database?: DatabasePlace | undefined
  readonly domain: string
  /** In characters. */
  readonly nameMin: number
  readonly nameMax: number
  /** The operator's own reserved names. */
  readonly reserved: readonly string[]
}

/** Read-only: verbs that change something reject. Throws DATABASE_MISSING, DATABASE_FOREIGN and the like. */
export async function readNames<T>(settings: NameAdminSettings, work: (admin: NameAdmin) => Promise<T>): Promise<T> {
  return using(settings.database ? await openShared(settings.database) : await openNameReader(settings), settings, work)
}

/** Read-write. Throws what `readNames` throws. */
export async function editNames<T>(settings: NameAdminSettings, work: (admin: NameAdmin) => Promise<T>): Promise<T> {
  const { path, database } = settings
  const store = database ? openShared(database) : openNameStore({ path, now: systemClock.now, mustExist: true })
  return using(await store, settings, work)
}

/** Throws DATABASE_UNREACHABLE, SCHEMA_MISSING and the like. */
export const openShared = (place: DatabasePlace) =>
  openSharedNames({ place, clock: systemClock, random: systemRandom, mustExist: true })

export interface PriceSource {
  /** The till that makes the invoices. */
  readonly payUrl: string | undefined
  /** The nodes that see the payments of sales, best first. */
  readonly nodeUrls: readonly string[]
}

/** How long a command waits for one answer. */
const ANSWER_TIMEOUT_MS = 2000
const MOST_BYTES = 64 * 1024

/**
 * The chain of the authority's prices: as the till states it in a header, or as the first node does when there is no till.
 * Undefined when it is not known. Takes at most 2 s.
 */
export async function chainOfPrices({ payUrl, nodeUrls: [node] }: PriceSource): Promise<string | undefined> {
  if (payUrl === undefined)
    return node === undefined ? undefined : (await import('../chain/index.js')).chainOfNode(node, ANSWER_TIMEOUT_MS)
  try {
    const { httpTransport } = await import('../client/index.js')
    const url = `${payUrl.replace(/\/+$/, '')}/health`
    return (await httpTransport(ANSWER_TIMEOUT_MS, MOST_BYTES, 'the till')({ method: 'GET', url })).chain
  } catch {
    return undefined
  }
}

type Opened = OperatorStore & { close(): Promise<void> }

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
