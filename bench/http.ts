// Reading over HTTP with nothing behind it: routes, views, templates and headers against a bare fastify route.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { API } from '../test/support/till-app.js'
import { offer, startBareServer } from './load.js'
import { type Measurement, median } from './measurement.js'

export const name = 'http'

/** Bars are requests per second on one core. */
const READS = [
  { what: 'GET /invoice/{id}, no store', bar: 5000 },
  { what: 'GET /pay/{token}/status, no store', bar: 8000 },
  { what: 'GET /pay/{token}, no store', bar: 2000 },
] as const

const ROUNDS = 3

export async function run(): Promise<readonly Measurement[]> {
  const server = await startServer()
  const bare = await startBareServer()
  try {
    const results: Measurement[] = []
    for (const [index, { what, bar }] of READS.entries()) {
      const figures = await measure(`${server.url}${server.paths[index]}`, bare.url)
      results.push({
        what,
        value: median(figures.map(({ perSecond }) => perSecond)),
        unit: '/s',
        ratio: { to: 'a bare fastify route', value: median(figures.map(({ ratio }) => ratio)) },
        target: { of: 'value', atLeast: bar },
      })
    }
    return results
  } finally {
    bare.stop()
    server.stop()
  }
}

/** Both in turns, so that other load on the machine meets both. */
async function measure(url: string, bareUrl: string) {
  await offer({ url, connections: 16, seconds: 1, headers: API })
  const figures: { perSecond: number; ratio: number }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const yardstick = await offer({ url: bareUrl, connections: 16, seconds: 2 })
    const { perSecond } = await offer({ url, connections: 16, seconds: 3, headers: API })
    figures.push({ perSecond, ratio: perSecond / yardstick.perSecond })
  }
  return figures
}

async function startServer() {
  const child = spawn(process.execPath, ['--import', 'tsx', join(import.meta.dirname, 'http-server.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const { url, paths } = JSON.parse(String(line)) as { url: string; paths: readonly string[] }
  return { url, paths, stop: () => void child.kill() }
}
