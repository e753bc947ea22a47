// Load from this process and yardsticks of this machine, for the benches that run a server.
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'

/** Appends that reach the disk, per second: the ceiling of everything durable that does not share a sync. */
export function fsyncRate(seconds = 2): number {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-fsync-'))
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

export interface Load {
  readonly url: string
  readonly connections: number
  readonly seconds: number
  /** Requests per second offered; as many as go when absent. */
  readonly rate?: number
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface LoadResult {
  readonly perSecond: number
  readonly p99Ms: number
}

/** Offers the load and answers what came back. Throws when any answer is not a 2xx. */
export async function offer({
  url,
  connections,
  seconds,
  rate,
  method = 'GET',
  headers,
  body,
}: Load): Promise<LoadResult> {
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    method,
    ...(rate ? { overallRate: Math.round(rate) } : {}),
    ...(headers ? { headers } : {}),
    ...(body ? { body } : {}),
  })
  const bad = result.non2xx + result.errors + result.timeouts
  if (bad > 0) throw new Error(`${bad} requests to ${new URL(url).pathname.slice(0, 9)} failed`)
  return { perSecond: result.requests.total / result.duration, p99Ms: result.latency.p99 }
}

/** A fastify server with one route and nothing else, in its own process: what the machine can do at all. */
export async function startBareServer(): Promise<{ readonly url: string; stop(): void }> {
  const source = `
    const { default: fastify } = await import('fastify')
    const app = fastify()
    app.get('/', () => ({ ok: true }))
    console.log(await app.listen({ host: '127.0.0.1', port: 0 }))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: ['ignore', 'pipe', 'inherit'] })
  return { url: await firstLine(child), stop: () => void child.kill() }
}

const firstLine = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    child.stdout?.once('data', (chunk: Buffer) => resolve(String(chunk).trim()))
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)))
  })
