// Proofs and receiving in a page's Web Worker beside a worker thread of Node, with the packed library, in alternating turns.
// `node --import tsx bench/browser.ts` prints the table; `--save` writes bench/browser.md.
import { cpSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { engines, openPage } from '../test/support/engines.js'
import { makeInstallation, openProject, type ScratchProject } from '../test/support/packed-packages.js'
import { modulePage, servePages } from '../test/support/page-server.js'
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

/** A page without a bundler: workers do not see a page's import map, so everything comes from the file that holds all it needs. */
async function pages(project: ScratchProject) {
  const folders = { bench: project.folder, node_modules: join(project.folder, 'node_modules') }
  const whole = '/node_modules/@grinpay/grin/dist/browser/grin.js'
  return servePages(
    modulePage('/bench/prover-page.mjs', { '@grinpay/grin': whole, '@grinpay/grin/prover': whole }),
    folders,
  )
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

\`node --import tsx bench/browser.ts --save\` repeats it.
`
}

async function main(): Promise<void> {
  const project = openProject(await makeInstallation(['grin']))
  for (const file of FILES) cpSync(join('bench', file), join(project.folder, file))
  const site = await pages(project)
  try {
    const [chromium] = engines
    if (!chromium || chromium.missing) throw new Error(`no Chromium: ${chromium?.missing}`)
    const inPage: Measure = async (rounds) => {
      const { error, results } = await openPage(chromium.start, site, `?rounds=${rounds}`, PAGE_MS)
      if (error) throw new Error(error)
      return results as Samples
    }
    const measures = { 'Node, worker thread': inNode(project), 'Chromium, Web Worker': inPage }
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
