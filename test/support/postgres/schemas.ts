// A schema of its own for every test, on a cluster that they share.
import { onTestFinished } from 'vitest'
import { parseDatabaseAddress } from '../../../src/lib/database-address.js'
import { targetOf } from '../../../src/storage/carry.js'
import { NAME_TABLES } from '../../../src/storage/names/row-kinds.js'
import { openSharedNames, type SharedNameStore } from '../../../src/storage/postgres/names/store.js'
import {
  migrateOnPrimary,
  type OpenPostgres,
  type OpenPostgresParts,
  openPostgres,
} from '../../../src/storage/postgres/open.js'
import type { DatabasePlace } from '../../../src/storage/postgres/place.js'
import {
  NAMES_SERVICE,
  type PostgresService,
  RELAY_LOG_SERVICE,
  TILL_SERVICE,
} from '../../../src/storage/postgres/services.js'
import { openSharedTill, type SharedTillParts, type SharedTillStore } from '../../../src/storage/postgres/till/store.js'
import { TILL_TABLES } from '../../../src/storage/till/tables.js'
import { systemClock, systemRandom } from '../../../src/system/index.js'
import type { Cluster, SingleServer } from './cluster.js'

let made = 0

/** `single`: of a server without standbys. */
type Unsafe = DatabasePlace['unsafe']

/** An empty, migrated schema for names. */
export const freshPlace = (url: string, unsafe?: Unsafe): Promise<DatabasePlace> => freshFor(NAMES_SERVICE, url, unsafe)

/** The same for a till. */
export const freshTillPlace = (url: string, unsafe?: Unsafe): Promise<DatabasePlace> =>
  freshFor(TILL_SERVICE, url, unsafe)

/** The same for the log of a relay. */
export const freshLogPlace = (url: string, unsafe?: Unsafe): Promise<DatabasePlace> =>
  freshFor(RELAY_LOG_SERVICE, url, unsafe)

async function freshFor(service: PostgresService, url: string, unsafe: Unsafe): Promise<DatabasePlace> {
  const place = { address: parseDatabaseAddress(url), schema: `${service.name}_${++made}`, unsafe }
  await migrateOnPrimary({ place, service })
  return place
}

const SYSTEM = { clock: systemClock, random: systemRandom }

/** One process's store on it. */
export async function namesOn(place: DatabasePlace): Promise<SharedNameStore> {
  const store = await openSharedNames({ place, ...SYSTEM })
  onTestFinished(store.close)
  return store
}

/** A server with one schema or more. */
type Server = Pick<Cluster | SingleServer, 'nodes'>

/** Makes a till's schema as good as new. Making one for each of hundreds of tests takes long, and leaves 100,000 files. */
export const emptyTill = (server: Server, place: DatabasePlace): Promise<void> =>
  empty(server, place, [...TILL_TABLES.map(targetOf), 'payment_total'], 'wallet SET next_key_index = 0')

/** Makes a name authority's schema as good as new. */
export const emptyNames = (server: Server, place: DatabasePlace): Promise<void> =>
  empty(server, place, NAME_TABLES.map(targetOf), 'meta SET checked_at = 0')

async function empty(
  { nodes }: Server,
  { schema }: DatabasePlace,
  tables: readonly string[],
  set: string,
): Promise<void> {
  const deletes = tables.map((table) => `DELETE FROM ${schema}.${table};`).join(' ')
  // The audit log lets nobody delete from it; references are not looked at.
  const asReplica = "PERFORM set_config('session_replication_role', 'replica', true);"
  await nodes[0].sql(`DO $$ BEGIN ${asReplica} ${deletes} UPDATE ${schema}.${set}; END $$`)
}

/** One instance's store of a till on it. */
export async function tillOn(place: DatabasePlace, more: Partial<SharedTillParts> = {}): Promise<SharedTillStore> {
  const store = await openSharedTill({ place, ...SYSTEM, chain: 'usernet', fingerprint: 'one wallet', ...more })
  onTestFinished(store.close)
  return store
}

/** The same without any verbs. */
export async function postgresOn(
  place: DatabasePlace,
  more: Partial<OpenPostgresParts> & { readonly mustAnswer?: boolean } = {},
): Promise<OpenPostgres> {
  const { mustAnswer = true, ...parts } = more
  const postgres = await openPostgres({ place, service: NAMES_SERVICE, ...SYSTEM, ...parts }, { mustAnswer })
  onTestFinished(postgres.close)
  return postgres
}
