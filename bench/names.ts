// The name authority with a million names: how soon it answers, how fast names are looked up and claimed, and what it then holds.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Measurement, median } from './measurement.js'
import { claims } from './names-claims.js'
import { startNames } from './names-daemon.js'
import { preloadNames, WITH_NAMES } from './names-preload.js'
import { lookups, startBareNames } from './names-reads.js'
import { residentMb } from './process.js'

export const name = 'names'

const STARTS = 7
const START_SECONDS = 0.6
const RESIDENT_MB = 150

export async function run(): Promise<readonly Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-bench-'))
  const path = join(folder, 'names.db')
  try {
    await preloadNames(path, Date.now())
    return [await starts(path), ...(await loads(path, folder))]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function starts(path: string): Promise<Measurement> {
  const seconds: number[] = []
  for (let turn = 0; turn <= STARTS; turn++) {
    const server = await startNames(path)
    await server.stop()
    if (turn > 0) seconds.push(server.startMs / 1000) // the first one reads the program from the disk
  }
  return {
    what: `name authority with ${WITH_NAMES}: from its start until it answers`,
    value: median(seconds),
    unit: 's',
    target: { of: 'value', atMost: START_SECONDS },
  }
}

async function loads(path: string, folder: string): Promise<readonly Measurement[]> {
  const bare = await startBareNames()
  const server = await startNames(path)
  try {
    const measured = [...(await lookups(server, bare)), ...(await claims(server, folder))]
    const resident: Measurement = {
      what: `name authority with ${WITH_NAMES}, right after all this: resident`,
      value: residentMb(server.pid),
      unit: 'MB',
      target: { of: 'value', atMost: RESIDENT_MB },
    }
    return [...measured, resident]
  } finally {
    bare.stop()
    await server.stop()
  }
}
