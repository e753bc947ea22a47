// A page that a bundler makes of the packed library: receives in Chromium, with proofs from Web Workers. Prints the sizes.
import { execFile } from 'node:child_process'
import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { engines, openPage } from '../support/engines.js'
import { installPackages } from '../support/installed-packages.js'
import type { ScratchProject } from '../support/packed-packages.js'
import { type PageSite, servePages } from '../support/page-server.js'
import { ROOT } from '../support/till-process.js'

const run = promisify(execFile)
const PAGE_MS = 100_000

let project: ScratchProject
let built: string
let site: PageSite
beforeAll(async () => {
  project = await installPackages(['grin', 'client'])
  cpSync('test/packages/site', project.folder, { recursive: true })
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
  await run(process.execPath, [vite, 'build', '--outDir', 'built'], { cwd: project.folder, timeout: 120_000 })
  built = join(project.folder, 'built')
  const page = readFileSync(join(built, 'index.html'), 'utf8')
  site = await servePages(page, { assets: join(built, 'assets'), vectors: 'test/vectors' })
}, 400_000)
afterAll(() => {
  site?.close()
  project?.remove()
})

test('the page and its worker are small', () => {
  const scripts = readdirSync(join(built, 'assets')).map((name) => {
    const content = readFileSync(join(built, 'assets', name))
    return { name, raw: content.length, gzip: gzipSync(content).length }
  })
  const ofPage = scripts.filter(({ name }) => !/worker/.test(name))
  const sum = (all: typeof scripts, what: 'raw' | 'gzip') => all.reduce((total, script) => total + script[what], 0)
  const kB = (length: number): string => `${(length / 1000).toFixed(1)} kB`
  for (const { name, raw, gzip } of scripts)
    console.log(`${name.replace(/-[\w-]{8}\./, '.')} ${kB(raw)}, gzip ${kB(gzip)}`)
  console.log(`without the worker ${kB(sum(ofPage, 'raw'))}, gzip ${kB(sum(ofPage, 'gzip'))}`)
  expect(scripts.length - ofPage.length).toBe(1)
  expect(sum(ofPage, 'gzip')).toBeLessThan(120_000)
})

const [chromium] = engines
if (chromium?.missing) console.log(`the page in Chromium: skipped, ${chromium.missing}`)

test.skipIf(chromium?.missing)(
  'receives a recorded payment with two workers',
  async () => {
    const { error, results } = await openPage(chromium!.start, site, '', PAGE_MS)
    expect(error).toBeUndefined()
    const { scripts, ...found } = results as { scripts: string[] }
    expect(found).toEqual({
      amount: '2250000000',
      armored: 'BEGINSLATEPACK.',
      verdicts: [true, false],
      same: true,
      closed: 'WORKERS_CLOSED',
    })
    expect(scripts).toHaveLength(2)
    for (const script of scripts) expect(script).toMatch(/\/assets\/prove\.worker-[\w-]+\.js$/)
  },
  PAGE_MS,
)
