// Proofs and receiving in a page's Web Worker beside a worker thread of Node, with the packed library, in alternating turns.
// `node --import tsx bench/browser.ts` prints the table; `--save` writes bench/browser.md.
import { cpSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { engines, openPage } from '../test/support/engines.js'
import { installPackages, type ScratchProject } from '../test/support/packed-packages.js'
import { importMap, modulePage, servePages } from '../test/support/page-server.js'
import { median } from './measurement.js'

type Samples = Readonly<Record<'prove' | 'verify' | 'receive', readonly number[]>>
type Measure = (rounds: number) => Promise<Samples>

const TURNS = 3
const ROUNDS = 10
const PAGE_MS = 120_000
const FILES = ['prover-rounds.mjs', 'prover-page.mjs', 'prover-node.mjs']
const LABELS = {
  prove: 'prove one output',
  verify: 'verify one proof',
  receive: 'receive an S1 (with its proof)',
} as const

const inNode =
  (project: ScratchProject): Measure =>
  async (rounds) =>
    JSON.parse(await project.runProgram(join(project.folder, 'prover-node.mjs'), `${rounds}`))

async function pages(project: ScratchProject) {
  const folders = { bench: project.folder, node_modules: join(project.folder, 'node_modules') }
  const prover = '/node_modules/@grinpay/grin/dist/library/prover/web.js'
  return servePages(modulePage('/bench/prover-page.mjs', { ...importMap, '@grinpay/grin/prover': prover }), folders)
}

const joined = (all: readonly Samples[], what: keyof Samples): number[] => all.flatMap((samples) => samples[what])

function tableOf(columns: Readonly<Record<string, readonly Samples[]>>): string {
  const names = Object.keys(columns)
  const cells = (what: keyof Samples): string[] =>
    Object.values(columns).map((all) => {
      const values = joined(all, what)
      return `${median(values).toFixed(1)} (${Math.min(...values).toFixed(1)})`
    })
  const whats: readonly (keyof Samples)[] = ['prove', 'verify', 'receive']
  const rows = whats.map((what) => `| ${LABELS[what]} | ${cells(what).join(' | ')} |`)
  return [`| | ${names.join(' | ')} |`, `|---|${names.map(() => '---|').join('')}`, ...rows].join('\n')
}

function documentOf(table: string): string {
  const date = new Date().toISOString().slice(0, 10)
  const load = loadavg().map((value) => value.toFixed(1))
  return `# Proofs in a page beside Node

Milliseconds by the clock, median of ${TURNS * ROUNDS} calls (in brackets the quickest), one worker each, the packed library, in ${TURNS} alternating turns of one run: ${date}, ${availableParallelism()} cores, Node ${process.versions.node}, load ${load[0]} (1 minute).
The time includes the way to the worker and back; receiving also checks the slate, signs, and recomputes the output in the calling thread.

${table}

\`node --import tsx bench/browser.ts --save\` repeats it. Columns of browsers that are not installed are left out.
`
}

async function main(): Promise<void> {
  const project = await installPackages(['grin'])
  for (const file of FILES) cpSync(join('bench', file), join(project.folder, file))
  const site = await pages(project)
  try {
    const measures: Record<string, Measure> = { 'Node, worker thread': inNode(project) }
    for (const { name, missing, start } of engines)
      if (missing) console.log(`${name}: skipped, ${missing}`)
      else
        measures[`${name}, Web Worker`] = async (rounds) => {
          const { error, results } = await openPage(start, site, `?rounds=${rounds}`, PAGE_MS)
          if (error) throw new Error(`${name}: ${error}`)
          return results as Samples
        }
    const columns: Record<string, Samples[]> = {}
    for (let turn = 0; turn < TURNS; turn++)
      for (const [name, measure] of Object.entries(measures))
        columns[name] = [...(columns[name] ?? []), await measure(ROUNDS)]
    const text = documentOf(tableOf(columns))
    console.log(text)
    if (process.argv.includes('--save')) writeFileSync('bench/browser.md', text)
  } finally {
    site.close()
    project.remove()
  }
}

await main()
