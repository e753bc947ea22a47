// What a package has to read: its README's first example runs as it is pasted, its links lead to files that it has, and its API reference names
// every export.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { installPackages } from '../support/installed-packages.js'
import type { ScratchProject } from '../support/packed-packages.js'
import { runProgramWith } from '../support/run-program.js'

let project: ScratchProject
beforeAll(async () => {
  project = await installPackages(['grin', 'client'])
}, 300_000)
afterAll(() => project?.remove())

type Name = 'grin' | 'client'
const textOf = (name: Name, file: string): string => readFileSync(join(project.package(name), file), 'utf8')
const pagesOf = (name: Name): string[] =>
  readdirSync(project.package(name), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'))

/** Writes the first program of the README into the project, as somebody pastes it; answers its path. */
function pasted(name: Name): string {
  const [, code = ''] = /^```js\n([\s\S]*?)^```$/m.exec(textOf(name, 'README.md')) ?? []
  const path = join(project.folder, `first-${name}.mjs`)
  writeFileSync(path, code)
  return path
}

test("the first example of @grinpay/grin's README runs as it is pasted", async () => {
  const lines = (await project.runProgram(pasted('grin'))).trimEnd().split('\n')
  expect(lines).toEqual([expect.stringMatching(/^pay to tgrin1[a-z0-9]{58}$/), 'paid 1.5 GRIN, 2 outputs'])
})

test("the first example of @grinpay/client's README runs as it is pasted, and asks the till for what it says", async () => {
  const asked: unknown[] = []
  const till = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    asked.push([request.method, request.url, request.headers.authorization, JSON.parse(body)])
    response.writeHead(201, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ invoice_id: 'inv_1', pay_url: 'https://pay.shop.example/pay/token' }))
  })
  await promisify((done: () => void) => till.listen(0, '127.0.0.1', done))()
  const { port } = till.address() as { port: number }
  const environment = { PAY_URL: `http://127.0.0.1:${port}`, PAY_API_TOKEN: 'pay_live_token' }
  const printed = await runProgramWith(pasted('client'), environment).finally(() => till.close())
  expect(printed).toBe('inv_1\nhttps://pay.shop.example/pay/token\n')
  expect(asked).toEqual([
    [
      'POST',
      '/invoice',
      'Bearer pay_live_token',
      { amount_grin: 1_500_000_000, order_ref: 'order-1001', memo: 'Two pots of honey' },
    ],
  ])
})

test('an example runs where the package is installed', async () => {
  const printed = await project.runProgram(join(project.package('grin'), 'examples/receive.mjs'))
  expect(printed).toContain('received 1.5 GRIN, 1 confirmation(s)')
})

test.each(['grin', 'client'] as const)(
  'every link in the pages of %s leads to a file of the package or to the web',
  (name) => {
    const pages = pagesOf(name)
    expect(pages).toEqual(
      expect.arrayContaining(['README.md', 'CHANGELOG.md', 'SECURITY.md', 'docs/guide.md', 'docs/errors.md']),
    )
    const links = pages.flatMap((page) => {
      const prose = textOf(name, page)
        .replace(/^```[\s\S]*?^```/gm, '')
        .replace(/`[^`\n]*`/g, '')
      return [...prose.matchAll(/\]\((?!https:)([^)#\s]*)/g)].map(([, to = '']) => ({ page, to }))
    })
    expect(links.filter(({ to }) => to !== '').length).toBeGreaterThan(3)
    const isThere = ({ page, to }: { page: string; to: string }): boolean =>
      to === '' ||
      (!join(dirname(page), to).startsWith('..') && existsSync(join(project.package(name), dirname(page), to)))
    expect(links.filter((link) => !isThere(link))).toEqual([])
  },
)

test('the API reference of both packages names every export, with its docstring', async () => {
  const reports = await Promise.all(
    (['grin', 'client'] as const).map(async (name) => {
      const { exports } = JSON.parse(textOf(name, 'package.json'))
      const entries = Object.keys(exports).filter(
        (entry) => !['./package.json', './browser'].includes(entry) && !entry.endsWith('.worker'),
      )
      const program = join(project.folder, `exports-${name}.mjs`)
      const imports = entries.map(
        (entry) => `'${entry}': Object.keys(await import('@grinpay/${name}${entry.slice(1)}'))`,
      )
      writeFileSync(program, `console.log(JSON.stringify({ ${imports.join(', ')} }))\n`)
      const all: Record<string, string[]> = JSON.parse(await project.runProgram(program))
      return Object.entries(all).flatMap(([entry, names]) => {
        const page = textOf(name, `docs/api/${entry === '.' ? 'index' : entry.slice(2)}.md`)
        const own = entry === '.' ? names.filter((one) => exports[`./${one}`] === undefined) : names
        return own.map((one) => ({
          entry: `${name} ${entry} ${one}`,
          found: new RegExp(`^## ${one}\n\n(?!\`\`\`)\\S`, 'm').test(page),
        }))
      })
    }),
  )
  const all = reports.flat()
  expect(all.length).toBeGreaterThan(100)
  expect(all.filter(({ found }) => !found)).toEqual([])
})
