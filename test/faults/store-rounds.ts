// Crash rounds: a child hammers one store, is killed without warning, and what it left is checked; then the next round
// goes on with the same file.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Acknowledged, parseAcks } from './store-acks.js'
import { findDamage } from './store-checker.js'

const HAMMER = join(import.meta.dirname, 'store-hammer.ts')
const MAX_ACKS = 600
/** Every so many rounds the kill comes by the clock, while the child still starts, recovers or migrates. */
const EARLY_KILL_EVERY = 5
const START_MS = 800

export interface RoundsReport {
  readonly acknowledged: number
  readonly damage: readonly string[]
}

/** Stops at the first round that left damage. */
export async function runRounds(path: string, rounds: number): Promise<RoundsReport> {
  const all: Acknowledged[] = []
  for (let round = 1; round <= rounds; round++) {
    const early = round % EARLY_KILL_EVERY === 1
    const acks = await hammerUntilKilled(path, early ? Number.POSITIVE_INFINITY : Math.ceil(Math.random() * MAX_ACKS))
    all.push(...acks)
    // Old acknowledgements are checked again now and then: a later crash must not lose them either.
    if (!existsSync(path)) continue
    const damage = findDamage(path, round % 20 === 0 || round === rounds ? all : acks)
    if (damage.length > 0) return { acknowledged: all.length, damage: damage.map((text) => `round ${round}: ${text}`) }
  }
  return { acknowledged: all.length, damage: [] }
}

/** A process that has the store open and keeps writing until it is killed. */
export const startHammer = (path: string) =>
  spawn(process.execPath, ['--import', 'tsx', HAMMER, path], { stdio: ['ignore', 'pipe', 'pipe'] })

/** SIGKILL once `enough` lines have come through the pipe, at whatever the child does just then; without end, by the clock. */
function hammerUntilKilled(path: string, enough: number): Promise<readonly Acknowledged[]> {
  const child = startHammer(path)
  let [printed, lines, complaint] = ['', 0, '']
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk))
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk
    lines += chunk.toString().split('\n').length - 1
    if (lines >= enough) child.kill('SIGKILL')
  })
  if (enough === Number.POSITIVE_INFINITY) setTimeout(() => child.kill('SIGKILL'), Math.random() * START_MS)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (_code, signal) => {
      if (signal === 'SIGKILL') resolve(parseAcks(printed))
      else reject(new Error(`the hammer ended by itself: ${complaint}`))
    })
  })
}
