// A schema of its own for every test, on a cluster that they share.
import { onTestFinished } from 'vitest'
import { parseDatabaseAddress } from '../../../src/lib/database-address.js'
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
import { systemClock, systemRandom } from '../../../src/system/index.js'
import type { Cluster } from './cluster.js'

let made = 0

/** An empty, migrated schema for names. */
export const freshPlace = (url: string): Promise<DatabasePlace> => freshFor(NAMES_SERVICE, url)

/** The same for a till. */
export const freshTillPlace = (url: string): Promise<DatabasePlace> => freshFor(TILL_SERVICE, url)

/** The same for the log of a relay. */
export const freshLogPlace = (url: string): Promise<DatabasePlace> => freshFor(RELAY_LOG_SERVICE, url)

async function freshFor(service: PostgresService, url: string): Promise<DatabasePlace> {
  const place = { address: parseDatabaseAddress(url), schema: `${service.name}_${++made}` }
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

/** In an order that keeps references. Making a schema for each of hundreds of tests leaves 100,000 files. */
const TILL_TABLES = [
  ...['attempt', 'event', 'letter', 'push', 'invoice_slate', 'payment', 'payment_total', 'endpub', 'till_user'],
  ...['idempotency', 'invoice', 'seen', 'secret_use', 'meta'],
]

/** Makes a till's schema as good as new. */
export async function emptyTill(cluster: Cluster, { schema }: DatabasePlace): Promise<void> {
  const deletes = TILL_TABLES.map((table) => `DELETE FROM ${schema}.${table};`).join(' ')
  await cluster.nodes[0].sql(`DO $$ BEGIN ${deletes} UPDATE ${schema}.wallet SET next_key_index = 0; END $$`)
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
