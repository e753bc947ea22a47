// Reading over HTTP with nothing behind it: routes, views, templates and headers against a bare fastify route.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { API } from '../test/support/till-app.js'
import { startBareServer } from './load.js'
import type { Measurement } from './measurement.js'
import { READS, readings } from './reads.js'

export const name = 'http'

export async function run(): Promise<readonly Measurement[]> {
  const server = await startServer()
  const bare = await startBareServer()
  try {
    const results: Measurement[] = []
    for (const [index, bar] of READS.entries()) {
      const small = { server, paths: server.paths.slice(index, index + 1) }
      results.push(...(await readings({ ...bar, what: `${bar.what}, no store` }, { bare, small, headers: API })))
    }
    return results
  } finally {
    bare.stop()
    server.stop()
  }
}

async function startServer() {
  const child = spawn(process.execPath, ['--import', 'tsx', join(import.meta.dirname, 'http-server.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const { url, paths } = JSON.parse(String(line)) as { url: string; paths: readonly string[] }
  return { url, paths, pid: child.pid ?? 0, stop: () => void child.kill() }
}
