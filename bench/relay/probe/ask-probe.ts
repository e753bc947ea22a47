// Asks the probe in a relay's process for its figures.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { RunningRelay } from '../relays/launch.js'
import type { LoopFigures } from './loop-figures.js'

/** For `node --import`, with the query `?out=FILE`. */
export const PROBE = pathToFileURL(join(import.meta.dirname, 'loop-probe.mjs')).href

/** The figures since the last call. */
export async function figuresOf({ child }: RunningRelay, out: string): Promise<LoopFigures> {
  rmSync(out, { force: true })
  child.kill('SIGUSR2')
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    if (existsSync(out)) return JSON.parse(readFileSync(out, 'utf8')) as LoopFigures
  }
}
