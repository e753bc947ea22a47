// Three real PostgreSQL nodes on this machine: a primary and two standbys, of which one must have every commit.
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../till-process.js'
import { configure, copyAsStandby, copyRunning, createNode, initialise, type PostgresNode } from './node.js'
import { findPrograms } from './programs.js'

export interface Cluster {
  readonly nodes: readonly [PostgresNode, PostgresNode, PostgresNode]
  /** Every node, in this order. */
  url(parameters?: { readonly database?: string; readonly first?: PostgresNode }): string
  /** Makes a standby the primary, and has the other one follow it. */
  promote(node: PostgresNode): Promise<void>
  /** Brings back a former primary that was killed: a standby with a fresh copy of the data. */
  rejoin(node: PostgresNode, primary: PostgresNode): Promise<void>
  /** The standby that has received most. */
  foremost(among: readonly PostgresNode[]): Promise<PostgresNode>
  /** Resolves when `count` standbys stream from the primary. */
  streaming(primary: PostgresNode, count: number): Promise<void>
  stop(): Promise<void>
}

const NAMES = ['a', 'b', 'c'] as const

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '16MB',
  max_connections: 60,
  wal_level: 'replica',
  max_wal_senders: 10,
  wal_keep_size: '256MB',
  hot_standby: 'on',
  wal_retrieve_retry_interval: '100ms',
  wal_receiver_status_interval: '1s',
  synchronous_commit: 'on',
  synchronous_standby_names: `ANY 1 (${NAMES.join(',')})`,
  // A killed process loses nothing that the kernel has; what a test claims is about processes, not about disks.
  fsync: 'off',
  log_min_messages: 'warning',
}

/** One server alone, for what needs a database and no standby. */
export interface SingleServer {
  readonly nodes: readonly [PostgresNode]
  url(): string
  stop(): Promise<void>
}

/** Takes a second or two. */
export async function startSingleServer(): Promise<SingleServer> {
  const programs = findPrograms()
  const root = mkdtempSync(join(tmpdir(), 'grinpay-server-'))
  chmodSync(root, 0o755)
  const [name, folder, port] = ['single', join(root, 'single'), await freePort()]
  mkdirSync(folder, { mode: 0o700 })
  initialise({ programs, folder })
  configure(folder, { ...SETTINGS, synchronous_standby_names: '', port })
  const node = createNode({ programs, name, folder, port })
  await node.start()
  return {
    nodes: [node],
    url: () => `postgresql://grinpay@127.0.0.1:${port}/postgres?sslmode=disable`,
    async stop() {
      await node.kill()
      rmSync(root, { recursive: true, force: true })
      programs.remove()
    },
  }
}

export interface ClusterOptions {
  /** Server settings that differ from those above. */
  readonly settings?: Readonly<Record<string, string | number>>
}

/** Takes some seconds. Everything of it is in one temporary folder. */
export async function startCluster({ settings = {} }: ClusterOptions = {}): Promise<Cluster> {
  const programs = findPrograms()
  const root = mkdtempSync(join(tmpdir(), 'grinpay-cluster-'))
  chmodSync(root, 0o755)
  const ports = [await freePort(), await freePort(), await freePort()] as const
  const folders = NAMES.map((name) => join(root, name))
  const [template = ''] = folders
  mkdirSync(template, { mode: 0o700 })
  initialise({ programs, folder: template })
  configure(template, { ...SETTINGS, ...settings })
  const make = (at: 0 | 1 | 2): PostgresNode => {
    const [name, folder = ''] = [NAMES[at], folders[at]]
    configure(folder, { port: ports[at], cluster_name: name, primary_conninfo: conninfo(ports[0], name) })
    return createNode({ programs, name, folder, port: ports[at] })
  }
  const first = make(0)
  // A standby compares its settings with those that the primary wrote when it ran.
  await first.start()
  await first.stop()
  for (const folder of folders.slice(1)) copyAsStandby(template, folder, { programs })
  const nodes = [first, make(1), make(2)] as const
  await Promise.all(nodes.map((node) => node.start()))

  async function streaming(primary: PostgresNode, count: number): Promise<void> {
    for (let tries = 0; tries < 400; tries++) {
      const rows = await primary.sql("SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'")
      if (rows.length >= count) return
      await sleep(25)
    }
    throw new Error(`${count} standbys do not follow ${primary.name}`)
  }

  await streaming(nodes[0], 2)
  return {
    nodes,
    url({ database = 'postgres', first = nodes[0] } = {}) {
      const order = [first, ...nodes.filter((node) => node !== first)]
      return `postgresql://grinpay@${order.map(({ port }) => `127.0.0.1:${port}`).join(',')}/${database}?sslmode=disable`
    },
    async promote(node) {
      await node.sql('SELECT pg_promote(true, 15)')
      for (const other of nodes)
        if (other !== node)
          await other
            .sql(`ALTER SYSTEM SET primary_conninfo = '${conninfo(node.port, other.name)}'`)
            .then(() => other.sql('SELECT pg_reload_conf()'))
            .catch(() => undefined) // a node that is down keeps what it has
    },
    async rejoin(node, primary) {
      await copyRunning(primary, node, { programs })
      configure(node.folder, { port: node.port, cluster_name: node.name })
      node.put('standby.signal', '')
      node.replace('postgresql.auto.conf', `primary_conninfo = '${conninfo(primary.port, node.name)}'\n`)
      await node.start()
    },
    async foremost(among) {
      const received = await Promise.all(among.map(async (node) => ({ node, at: await endOfLog(node) })))
      received.sort((one, other) => Number(other.at - one.at))
      return received[0]?.node as PostgresNode
    },
    streaming,
    async stop() {
      await Promise.all(nodes.map((node) => node.kill()))
      rmSync(root, { recursive: true, force: true })
      programs.remove()
    },
  }
}

/**
 * How far the log of a standby goes, in bytes. One that was started a moment ago has received nothing since, and replays what it had: its end is
 * where the replay stands still.
 */
async function endOfLog(node: PostgresNode): Promise<bigint> {
  let before = -1n
  for (;;) {
    const [row] = await node.sql(
      "SELECT (coalesce(pg_last_wal_receive_lsn(), '0/0') - '0/0')::bigint AS received, (coalesce(pg_last_wal_replay_lsn(), '0/0') - '0/0')::bigint AS replayed",
    )
    const [received, replayed] = [BigInt(String(row?.received)), BigInt(String(row?.replayed))]
    if (received >= replayed && received > 0n) return received
    if (replayed === before) return replayed
    before = replayed
    await sleep(200)
  }
}

const conninfo = (port: number, name: string): string =>
  `host=127.0.0.1 port=${port} user=grinpay application_name=${name}`
