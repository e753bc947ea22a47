// Load from this process and yardsticks of this machine, for the benches that run a server.
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { processorMsOf } from './process.js'

/** Appends that reach the disk, per second: the ceiling of everything durable that does not share a sync. */
export function fsyncRate(seconds = 1, disk = tmpdir()): number {
  const folder = mkdtempSync(join(disk, 'grinpay-fsync-'))
  const file = openSync(join(folder, 'journal'), 'w')
  const page = new Uint8Array(4096)
  try {
    const start = performance.now()
    let syncs = 0
    for (; performance.now() - start < seconds * 1000; syncs++) {
      writeSync(file, page)
      fdatasyncSync(file)
    }
    return syncs / ((performance.now() - start) / 1000)
  } finally {
    closeSync(file)
    rmSync(folder, { recursive: true, force: true })
  }
}

export interface Server {
  readonly url: string
  readonly pid: number
}

export interface Load {
  readonly server: Server
  /** Asked for in turns; `/` unless told. */
  readonly paths?: readonly string[]
  /** The same with headers of their own, instead of `paths`. */
  readonly requests?: readonly { readonly path: string; readonly headers?: Readonly<Record<string, string>> }[]
  readonly connections: number
  readonly seconds: number
  /** Requests per second offered; as many as go when absent. */
  readonly rate?: number
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface LoadResult {
  /** By the clock, with the load and everything else on the same processors. */
  readonly perSecond: number
  /** Processor time of the server for one answer, all its threads. */
  readonly processorMs: number
  /** What one core would answer: the same figure the other way round. */
  readonly perCore: number
  readonly p99Ms: number
}

/** Offers the load and answers what came back. Throws when any answer is not a 2xx. */
export async function offer({
  server,
  paths = ['/'],
  requests = paths.map((path) => ({ path })),
  connections,
  seconds,
  rate,
  ...request
}: Load): Promise<LoadResult> {
  const before = processorMsOf(server.pid)
  const result = await autocannon({
    url: `${server.url}${requests[0]?.path}`,
    connections,
    duration: seconds,
    requests,
    ...(rate ? { overallRate: Math.round(rate) } : {}),
    ...request,
  })
  const processorMs = (processorMsOf(server.pid) - before) / result.requests.total
  const bad = result.non2xx + result.errors + result.timeouts
  if (bad > 0)
    throw new Error(`${bad} requests to ${requests[0]?.path} failed: ${JSON.stringify(result.statusCodeStats ?? {})}`)
  return {
    perSecond: result.requests.total / result.duration,
    processorMs,
    perCore: 1000 / processorMs,
    p99Ms: result.latency.p99,
  }
}

/** A fastify server with one route and nothing else, in its own process: what the machine can do at all. */
export async function startBareServer(): Promise<Server & { stop(): void }> {
  const source = `
    const { default: fastify } = await import('fastify')
    const app = fastify()
    app.get('/', () => ({ ok: true }))
    console.log(await app.listen({ host: '127.0.0.1', port: 0 }))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: ['ignore', 'pipe', 'inherit'] })
  return { url: await firstLine(child), pid: child.pid ?? 0, stop: () => void child.kill() }
}

/** What a child process prints first; rejects when it ends without a word. */
export const firstLine = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    child.stdout?.once('data', (chunk: Buffer) => resolve(String(chunk).trim()))
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)))
  })
