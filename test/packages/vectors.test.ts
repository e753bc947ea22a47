// All vectors that concern the library, run with the packed package: in Node, and in a page of every browser that is installed.
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engines, openPage } from '../support/engines.js'
import { installPackages } from '../support/installed-packages.js'
import type { ScratchProject } from '../support/packed-packages.js'
import { modulePage, type PageSite, servePages } from '../support/page-server.js'

type Results = Readonly<Record<string, { readonly cases: number; readonly failures: readonly string[] }>>

/** The file that holds all it needs: the page has no bundler. */
const BUNDLE = '/node_modules/@grinpay/grin/dist/browser/grin.js'
const PAGE_MS = 240_000
const CHANGED = 5

let project: ScratchProject
let site: PageSite
let inNode: Results
beforeAll(async () => {
  project = await installPackages(['grin'])
  cpSync('test/packages/vectors', join(project.folder, 'checks'), { recursive: true })
  const modules = join(project.folder, 'node_modules')
  const folders = { checks: join(project.folder, 'checks'), node_modules: modules, vectors: 'test/vectors' }
  site = await servePages(modulePage('/checks/page.mjs', { '@grinpay/grin': BUNDLE }), folders)
}, 300_000)
afterAll(() => {
  site?.close()
  project?.remove()
})

/** Runs all, or the self-test with one changed value in each of five files. */
const runInNode = async (...mode: readonly string[]) =>
  JSON.parse(
    await project.runProgram(join(project.folder, 'checks/node.mjs'), join(process.cwd(), 'test/vectors'), ...mode),
  )

const casesIn = (results: Results): number => Object.values(results).reduce((sum, { cases }) => sum + cases, 0)
const failuresIn = (results: Results): string[] =>
  Object.entries(results).flatMap(([file, { failures }]) => failures.map((failure) => `${file}: ${failure}`))
const countsOf = (results: Results) =>
  Object.fromEntries(Object.entries(results).map(([file, { cases }]) => [file, cases]))

describe('in Node', () => {
  test('all agree', async () => {
    const { shared, nodeOnly } = await runInNode()
    inNode = shared
    const table = Object.entries({ ...shared, ...nodeOnly } as Results).map(([file, { cases }]) => `${cases}\t${file}`)
    console.log(`${table.join('\n')}\n${casesIn(shared)} cases in Node and in pages, ${casesIn(nodeOnly)} in Node only`)
    expect([...failuresIn(shared), ...failuresIn(nodeOnly)]).toEqual([])
    expect(casesIn(shared)).toBeGreaterThan(1900)
  }, 120_000)

  test('a wrong value in a vector is noticed', async () => {
    const { shared } = await runInNode('changed')
    expect(Object.values(shared as Results).map(({ failures }) => failures.length > 0)).toEqual(
      Array(CHANGED).fill(true),
    )
  }, 120_000)
})

describe.each(engines)('in $name', ({ name, missing, agent, start }) => {
  if (missing) console.log(`vectors in ${name}: skipped, ${missing}`)

  async function runInPage(query: string): Promise<Results> {
    const page = await openPage(start, site, query, PAGE_MS)
    expect(page.error).toBeUndefined()
    expect(page.agent).toMatch(agent)
    return page.results as Results
  }

  test.skipIf(missing)(
    'all agree, as many as in Node',
    async () => {
      const results = await runInPage('')
      console.log(`${casesIn(results)} cases in ${name}`)
      expect(failuresIn(results)).toEqual([])
      expect(countsOf(results)).toEqual(countsOf(inNode))
    },
    PAGE_MS,
  )

  test.skipIf(missing)(
    'a wrong value in a vector is noticed',
    async () => {
      const results = await runInPage('?changed')
      expect(Object.values(results).map(({ failures }) => failures.length > 0)).toEqual(Array(CHANGED).fill(true))
    },
    PAGE_MS,
  )
})
