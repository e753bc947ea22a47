// Three PostgreSQL nodes of the cluster tests for a benchmark, with real syncs, and what processor they take.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Cluster, startCluster } from '../../test/support/postgres/cluster.js'
import { processorMsOf } from '../process.js'

/** The tests leave out fsync. */
export const startDatabase = (): Promise<Cluster> =>
  startCluster({ settings: { fsync: 'on', shared_buffers: '64MB', max_connections: 100 } })

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
