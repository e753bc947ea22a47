// The packages, installed once, on the Node that runs the tests and on the newest of other lines: every entry loads, the programs run.
import { execFile } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installPackages } from '../support/installed-packages.js'
import { FETCH_NODE_MS, fetchNode, hasNodeBinaries } from '../support/other-node.js'
import type { ScratchProject } from '../support/packed-packages.js'

const run = promisify(execFile)
const LINES = ['24', '26']
const OWN = 'this Node'
if (!hasNodeBinaries) console.log('Node 24 and 26: skipped, npm has no binaries of Node for this platform')

let project: ScratchProject
const nodes: Record<string, string> = { [OWN]: process.execPath }
beforeAll(
  async () => {
    project = await installPackages(['grin', 'client'])
    cpSync('test/packages/programs', join(project.folder, 'programs'), { recursive: true })
    if (hasNodeBinaries) for (const line of LINES) nodes[line] = await fetchNode(line)
  },
  LINES.length * FETCH_NODE_MS + 300_000,
)
afterAll(() => project?.remove())

const exportsOf = (name: 'grin' | 'client'): string[] =>
  Object.keys(JSON.parse(readFileSync(join(project.package(name), 'package.json'), 'utf8')).exports)
/** A page's script needs the globals of a worker. */
const isProgram = (entry: string): boolean => /package\.json$|\.worker$/.test(entry)

describe.each([OWN, ...(hasNodeBinaries ? LINES : [])])('%s', (line) => {
  const runWith = async (...args: readonly string[]): Promise<string> =>
    (await run(nodes[line] ?? '', args, { cwd: project.folder, timeout: 90_000 })).stdout

  test('loads every entry', async () => {
    if (line !== OWN) expect(await runWith('--version')).toMatch(new RegExp(`^v${line}\\.`))
    const entries = (['grin', 'client'] as const).flatMap((name) =>
      exportsOf(name)
        .filter((entry) => !isProgram(entry))
        .map((entry) => `@grinpay/${name}${entry.slice(1)}`),
    )
    const program = join(project.folder, 'load.mjs')
    const code = `for (const name of process.argv.slice(2)) console.log(name, Object.keys(await import(name)).length > 0)\n`
    writeFileSync(program, code)
    expect(await runWith(program, ...entries)).toBe(entries.map((name) => `${name} true\n`).join(''))
  })

  test.each(readdirSync('test/packages/programs'))('runs %s', async (name) => {
    const printed = await runWith(join(project.folder, 'programs', name))
    expect(printed).toBe(await runOnce(name))
  })
})

/** What a program prints on the Node of the tests, which test/packages/installed.test.ts compares with what is expected. */
const printed = new Map<string, Promise<string>>()
function runOnce(name: string): Promise<string> {
  const known = printed.get(name) ?? project.runProgram(join(project.folder, 'programs', name))
  printed.set(name, known)
  return known
}
