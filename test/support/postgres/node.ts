// One real PostgreSQL server in a folder of its own, on a loopback port.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { appendFileSync, chownSync, cpSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { PostgresPrograms } from './programs.js'

export interface PostgresNode {
  readonly name: string
  readonly port: number
  readonly folder: string
  start(): Promise<void>
  /** Ends the server as a loss of power would: every process of it at once. */
  kill(): Promise<void>
  /** Freezes every process of it: it is reachable and answers nothing. */
  freeze(): void
  thaw(): void
  /** Asks the server to stop, and waits. */
  stop(): Promise<void>
  /** Writes a file of the server into its data folder, before what is there already. */
  put(file: string, content: string): void
  /** The same, in the place of what is there. */
  replace(file: string, content: string): void
  /** One statement as superuser, on a connection of its own. */
  sql(text: string): Promise<Record<string, unknown>[]>
}

export interface NodeParts {
  readonly programs: PostgresPrograms
  readonly name: string
  readonly folder: string
  readonly port: number
}

const START_LIMIT_MS = 20_000
/** Killed when the test process ends without having stopped them. */
const running = new Set<number>()
process.once('exit', () => {
  for (const pid of running) signalAll(processesOf(pid), 'SIGKILL')
})

/** The server and its children; each child leads a process group of its own. */
function processesOf(server: number): readonly number[] {
  const table = execFileSync('ps', ['-axo', 'pid=,ppid='], { encoding: 'utf8' })
  const rows = table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
  return [server, ...rows.flatMap(([pid = 0, parent]) => (parent === server ? [pid] : []))]
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, signal)
    } catch {
      // It has ended already.
    }
}

export function createNode({ programs, name, folder, port }: NodeParts): PostgresNode {
  let server: ChildProcess | undefined
  let ended: Promise<unknown> = Promise.resolve()
  const pid = () => server?.pid ?? 0

  async function sql(text: string) {
    const client = new pg.Client({
      host: '127.0.0.1',
      port,
      user: 'grinpay',
      database: 'postgres',
      connectionTimeoutMillis: 2000,
    })
    client.on('error', () => undefined)
    await client.connect()
    try {
      return (await client.query(text)).rows
    } finally {
      void client.end()
    }
  }

  async function end(signal: NodeJS.Signals, whom: (server: number) => readonly number[]): Promise<void> {
    const own = server?.pid
    if (own === undefined) return
    signalAll(processesOf(own), 'SIGCONT')
    signalAll(whom(own), signal)
    await ended
    running.delete(own)
    server = undefined
  }

  function write(file: string, content: string): void {
    const path = join(folder, file)
    writeFileSync(path, content, { mode: 0o600 })
    if ('uid' in programs.user) chownSync(path, programs.user.uid, programs.user.gid)
  }

  return {
    name,
    port,
    folder,
    sql,
    put(file, content) {
      const path = join(folder, file)
      write(file, content + (existsSync(path) ? readFileSync(path, 'utf8') : ''))
    },
    replace: write,
    async start() {
      const log = openSync(join(folder, 'server.log'), 'a')
      // Not in the group of the tests: an interrupt at the terminal is for them, and they stop the servers.
      const child = spawn(join(programs.bin, 'postgres'), ['-D', folder], {
        ...programs.user,
        detached: true,
        stdio: ['ignore', log, log],
      })
      server = child
      ended = new Promise((resolve) => child.once('exit', resolve))
      if (child.pid !== undefined) running.add(child.pid)
      for (const limit = Date.now() + START_LIMIT_MS; ; await sleep(30)) {
        if (
          await sql('SELECT 1').then(
            () => true,
            () => false,
          )
        )
          return
        if (Date.now() > limit || child.exitCode !== null)
          throw new Error(`PostgreSQL did not start: ${readFileSync(join(folder, 'server.log'), 'utf8').slice(-2000)}`)
      }
    },
    kill: () => end('SIGKILL', processesOf),
    freeze: () => signalAll(processesOf(pid()), 'SIGSTOP'),
    thaw: () => signalAll(processesOf(pid()), 'SIGCONT'),
    stop: () => end('SIGINT', (own) => [own]),
  }
}

/** An empty data folder. */
export function initialise({ programs, folder }: Pick<NodeParts, 'programs' | 'folder'>): void {
  give(folder, programs)
  const args = ['-D', folder, '-U', 'grinpay', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N']
  execFileSync(join(programs.bin, 'initdb'), args, { ...programs.user, stdio: 'pipe' })
}

/** A copy of the data of a server that runs, in the place of what the other, ended one has. */
export async function copyRunning(
  from: PostgresNode,
  to: PostgresNode,
  { programs }: Pick<NodeParts, 'programs'>,
): Promise<void> {
  const client = new pg.Client({ host: '127.0.0.1', port: from.port, user: 'grinpay', database: 'postgres' })
  await client.connect()
  try {
    await client.query("SELECT pg_backup_start('copy', true)")
    // Files change and vanish meanwhile, which tar says and the log mends.
    execFileSync('sh', ['-c', COPY, from.folder, to.folder], { stdio: 'pipe' })
    const { rows } = await client.query('SELECT labelfile FROM pg_backup_stop(false)')
    to.replace('backup_label', String(rows[0]?.labelfile))
  } finally {
    await client.end()
  }
  if ('uid' in programs.user) execFileSync('chown', ['-R', `${programs.user.uid}:${programs.user.gid}`, to.folder])
}

const COPY = `find "$1" -mindepth 1 -delete; tar -C "$0" -cf - --exclude=postmaster.pid --exclude=server.log . 2>/dev/null | tar -C "$1" -xf -`

/** A standby of `primaryPort`: a copy of a data folder whose server is stopped. */
export function copyAsStandby(from: string, to: string, { programs }: Pick<NodeParts, 'programs'>): void {
  cpSync(from, to, { recursive: true, preserveTimestamps: true })
  writeFileSync(join(to, 'standby.signal'), '')
  if ('uid' in programs.user) execFileSync('chown', ['-R', `${programs.user.uid}:${programs.user.gid}`, to])
}

export const configure = (folder: string, settings: Readonly<Record<string, string | number>>): void =>
  appendFileSync(
    join(folder, 'postgresql.conf'),
    Object.entries(settings)
      .map(([name, value]) => `${name} = '${String(value).replaceAll("'", "''")}'\n`)
      .join(''),
  )

function give(folder: string, { user }: PostgresPrograms): void {
  if ('uid' in user) chownSync(folder, user.uid, user.gid)
}
