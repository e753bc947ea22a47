// Three database machines as templates/cluster describes them, each on a loopback address of its own: Debian's etcd, Patroni and PostgreSQL, started
// from those very files. As root; PostgreSQL runs as `postgres`.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

const TEMPLATES = join(import.meta.dirname, '../../templates/cluster')
const ADDRESSES = { a: '127.0.1.1', b: '127.0.1.2', c: '127.0.1.3' } as const
type NodeName = keyof typeof ADDRESSES
const NODE_NAMES: readonly NodeName[] = ['a', 'b', 'c']
const PASSWORD = 'trial'
const PROGRAMS = ['/usr/bin/etcd', '/usr/bin/patroni', '/usr/lib/postgresql/15/bin/postgres']

/** Why the trial cannot run here; undefined when it can. */
export function missingPrograms(): string | undefined {
  if (process.getuid?.() !== 0) return 'needs root'
  const missing = PROGRAMS.filter((path) => !existsSync(path))
  return missing.length === 0
    ? undefined
    : `apt-get install patroni etcd-server postgresql-15: no ${missing.join(', ')}`
}

type Role = 'etcd' | 'patroni' | 'postgres'

export interface DatabaseMachine {
  readonly name: NodeName
  readonly address: string
  /** Starts what does not run. */
  start(): void
  /** SIGKILL to one program with its children, or to all of them at once. */
  kill(what: Role | 'machine'): void
  /** As superuser; in `postgres` unless another database is named. */
  sql(text: string, database?: string): Promise<Record<string, unknown>[]>
}

export interface Machines {
  readonly nodes: readonly DatabaseMachine[]
  /** For settings. */
  readonly url: string
  primary(): Promise<DatabaseMachine>
  /** Resolves when one primary has two standbys that follow it, one of them synchronous. Throws after two minutes. */
  settled(): Promise<void>
  stop(): Promise<void>
}

/** Takes about half a minute. */
export async function startMachines(folder: string): Promise<Machines> {
  const user = idsOf('postgres')
  chmodSync(folder, 0o755)
  const authority = makeCertificates(folder)
  const nodes = NODE_NAMES.map((name) => createMachine({ name, folder, user, authority }))
  process.once('exit', () => {
    for (const node of nodes) node.kill('machine')
  })
  for (const node of nodes) node.start()

  async function primary(): Promise<DatabaseMachine> {
    for (const node of nodes) {
      const rows = await node.sql('SELECT 1 WHERE NOT pg_is_in_recovery()').catch(() => [])
      const followed = await node.sql('SELECT 1 FROM pg_stat_replication').catch(() => [])
      if (rows.length > 0 && followed.length > 0) return node
    }
    throw new Error('no primary')
  }

  async function isSettled(): Promise<boolean> {
    const node = await primary()
    const rows = await node.sql("SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming'")
    return rows.length === 2 && rows.some(({ sync_state }) => sync_state !== 'async')
  }

  async function settled(): Promise<void> {
    for (let tries = 0; tries < 240; tries++) {
      if (await isSettled().catch(() => false)) return
      await sleep(500)
    }
    throw new Error(`the database does not settle; logs: ${folder}`)
  }

  await settled()
  await (await primary()).sql(`CREATE USER grinpay PASSWORD '${PASSWORD}'`)
  await (await primary()).sql('CREATE DATABASE grinpay OWNER grinpay')
  const hosts = NODE_NAMES.map((name) => `${ADDRESSES[name]}:5432`).join(',')
  return {
    nodes,
    url: `postgresql://grinpay:${PASSWORD}@${hosts}/grinpay?sslmode=verify-full&sslrootcert=${authority.certificate}`,
    primary,
    settled,
    async stop() {
      for (const node of nodes) node.kill('machine')
      await sleep(500)
    },
  }
}

interface MachineParts {
  readonly name: NodeName
  readonly folder: string
  readonly user: { readonly uid: number; readonly gid: number }
  readonly authority: Certificates
}

function createMachine({ name, folder, user, authority }: MachineParts): DatabaseMachine {
  const address = ADDRESSES[name]
  const own = join(folder, name)
  const data = join(own, 'data')
  mkdirSync(own)
  chownSync(own, user.uid, user.gid)
  const environment = environmentOf(filled('etcd.env', name).replace('/var/lib/etcd/grinpay', join(own, 'etcd')))
  const settings = join(own, 'patroni.yml')
  writeFileSync(
    settings,
    filled('patroni.yml', name)
      .replace('/var/lib/postgresql/15/grinpay', data)
      .replace('/var/lib/postgresql/.pgpass_patroni', join(own, 'pgpass'))
      .replace('/var/run/postgresql', own)
      .replace('/etc/patroni/server.crt', authority.server)
      .replace('/etc/patroni/server.key', authority.key),
  )
  const children = new Map<Role, ChildProcess>()

  function run(role: Role, program: string, args: readonly string[], env: NodeJS.ProcessEnv): void {
    const running = children.get(role)
    if (running && running.exitCode === null && running.signalCode === null) return
    const log = openSync(join(own, `${role}.log`), 'a')
    children.set(role, spawn(program, args, { ...user, cwd: own, env, detached: true, stdio: ['ignore', log, log] }))
  }

  /** 0 when it does not run: the file of a killed server stays, and its number may be another program's by now. */
  const serverPid = (): number => {
    try {
      const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])
      return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(data) ? pid : 0
    } catch {
      return 0
    }
  }

  const pidsOf: Record<Role, () => readonly number[]> = {
    etcd: () => [children.get('etcd')?.pid ?? 0],
    patroni: () => [children.get('patroni')?.pid ?? 0],
    postgres: () => withChildren(serverPid()),
  }

  return {
    name,
    address,
    start() {
      const path = { PATH: process.env.PATH, HOME: own, LANG: 'C.UTF-8' }
      run('etcd', '/usr/bin/etcd', [], { ...path, ...environment })
      run('patroni', '/usr/bin/patroni', [settings], path)
    },
    kill(what) {
      // Patroni first, where all of them go: it would start the server again.
      const roles: readonly Role[] = what === 'machine' ? ['patroni', 'postgres', 'etcd'] : [what]
      for (const pid of roles.flatMap((role) => pidsOf[role]())) kill(pid)
    },
    async sql(text, database = 'postgres') {
      const client = new pg.Client({
        host: address,
        port: 5432,
        user: 'postgres',
        password: PASSWORD,
        database,
        connectionTimeoutMillis: 2000,
        ssl: { ca: readFileSync(authority.certificate, 'utf8') },
      })
      client.on('error', () => undefined)
      await client.connect()
      try {
        return (await client.query(text)).rows
      } finally {
        void client.end()
      }
    },
  }
}

function filled(template: string, name: NodeName): string {
  const values: Readonly<Record<string, string>> = {
    NODE: name,
    ADDRESS: ADDRESSES[name],
    A: ADDRESSES.a,
    B: ADDRESSES.b,
    C: ADDRESSES.c,
    NETWORK: '127.0.0.0/16',
    SUPERUSER_PASSWORD: PASSWORD,
    REPLICATION_PASSWORD: PASSWORD,
    REWIND_PASSWORD: PASSWORD,
  }
  return readFileSync(join(TEMPLATES, template), 'utf8').replace(/@([A-Z_]+)@/g, (_, word: string) => {
    const value = values[word]
    if (value === undefined) throw new Error(`${template}: nothing to put for @${word}@`)
    return value
  })
}

const environmentOf = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries([...text.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]))

function idsOf(user: string): { readonly uid: number; readonly gid: number } {
  const id = (flag: string) => Number(execFileSync('id', [flag, user], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

function withChildren(server: number): readonly number[] {
  if (server === 0) return []
  const table = execFileSync('ps', ['-axo', 'pid=,ppid='], { encoding: 'utf8' })
  const rows = table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
  return [server, ...rows.flatMap(([pid = 0, parent]) => (parent === server ? [pid] : []))]
}

function kill(pid: number): void {
  if (pid <= 1) return
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}

interface Certificates {
  readonly certificate: string
  readonly server: string
  readonly key: string
}

/** An authority, and one certificate for all three addresses. */
function makeCertificates(folder: string): Certificates {
  const at = (name: string) => join(folder, name)
  const openssl = (...args: readonly string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  const fresh = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  openssl('req', '-x509', ...fresh, '-keyout', 'ca.key', '-out', 'ca.crt', '-days', '2', '-subj', '/CN=trial authority')
  openssl('req', ...fresh, '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=trial')
  const addresses = Object.values(ADDRESSES).map((address) => `IP:${address}`)
  writeFileSync(at('names'), `subjectAltName=${addresses.join(',')}\n`)
  const signing = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', 'names']
  openssl('x509', '-req', '-in', 'server.csr', ...signing, '-out', 'server.crt')
  const { uid, gid } = idsOf('postgres')
  chownSync(at('server.key'), uid, gid)
  chmodSync(at('server.key'), 0o600)
  return { certificate: at('ca.crt'), server: at('server.crt'), key: at('server.key') }
}
