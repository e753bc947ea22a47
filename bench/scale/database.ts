// Three PostgreSQL nodes of the cluster tests for a benchmark, with real syncs, and what processor they take.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseDatabaseAddress } from '../../src/lib/database-address.js'
import { migrateOnPrimary } from '../../src/storage/postgres/open.js'
import type { PostgresService } from '../../src/storage/postgres/services.js'
import { type Cluster, startCluster } from '../../test/support/postgres/cluster.js'
import { processorMsOf } from '../process.js'

/** The tests leave out fsync. */
export const startDatabase = (): Promise<Cluster> =>
  startCluster({ settings: { fsync: 'on', shared_buffers: '64MB', max_connections: 100 } })

let made = 0

/** A schema of its own with the tables of a service. */
export async function freshSchema(url: string, service: PostgresService): Promise<string> {
  const schema = `${service.name}_${++made}`
  await migrateOnPrimary({ place: { address: parseDatabaseAddress(url), schema }, service })
  return schema
}

/** The address as a file that a daemon accepts. */
export function urlFileIn(folder: string, url: string): string {
  const file = join(folder, 'url')
  writeFileSync(file, url, { mode: 0o600 })
  return file
}

/** Processor milliseconds of all servers since their start; that of ended backends is in their parent's children's time, and left out. */
export function databaseMs({ nodes }: Cluster): number {
  const servers = new Set(nodes.map(({ folder }) => serverOf(folder)))
  return processes().reduce(
    (sum, { pid, parent }) => (servers.has(pid) || servers.has(parent) ? sum + msOf(pid) : sum),
    0,
  )
}

const serverOf = (folder: string): number => Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0])

function processes(): readonly { readonly pid: number; readonly parent: number }[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.flatMap((pid) => {
    try {
      const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (.*)/s)
      return [{ pid: Number(pid), parent: Number(fields.split(' ')[1]) }]
    } catch {
      return [] // it ended since
    }
  })
}

function msOf(pid: number): number {
  try {
    return processorMsOf(pid)
  } catch {
    return 0
  }
}
