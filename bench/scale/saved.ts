// What was measured and saved, and the pages that show it.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Costs } from './costs.js'
import type { Row } from './front-ends.js'
import type { Machine } from './machine.js'

const BENCH = join(import.meta.dirname, '..')

interface Saved {
  /** By `bench/scale.ts`. */
  readonly 'scale/measured.json': { readonly machine: Machine; readonly values: Costs }
  /** By `bench/cluster.ts`. */
  readonly 'cluster.json': { readonly machine: Machine; readonly rounds: number; readonly rows: readonly Row[] }
}

/** Undefined when nothing was saved yet. */
export function readSaved<Name extends keyof Saved>(name: Name): Saved[Name] | undefined {
  const path = join(BENCH, name)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}

export const save = <Name extends keyof Saved>(name: Name, measured: Saved[Name]): void =>
  writeFileSync(join(BENCH, name), `${JSON.stringify(measured, null, 2)}\n`)

/** Each section between its markers; the text around them stays. */
export function savePage(name: string, parts: Readonly<Record<string, string>>): void {
  const path = join(BENCH, name)
  let page = readFileSync(path, 'utf8')
  for (const [section, part] of Object.entries(parts)) {
    const [begin, end] = [`<!-- ${section} -->\n`, `\n<!-- end of ${section} -->`]
    const [from, to] = [page.indexOf(begin), page.indexOf(end)]
    if (from < 0 || to < from) throw new Error(`${path} has no place for ${section}`)
    page = `${page.slice(0, from)}${begin}${part}${page.slice(to)}`
  }
  writeFileSync(path, page)
}
