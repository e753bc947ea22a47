// The pages of the packages say what the sources say.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const textOf = (path: string): string => readFileSync(path, 'utf8')
const library = textOf('docs/library.md')

const firstExampleOf = (name: string): string =>
  /^```js\n([\s\S]*?)^```$/m.exec(textOf(`packages/${name}/README.md`))?.[1] ?? ''

test('the first example of @grinpay/grin is the file that the tests run', () => {
  expect(firstExampleOf('grin')).toBe(textOf('examples/grin/first.mjs'))
})

test('the first example of @grinpay/client is that of its page, which the tests run against a till', () => {
  const [, code = ''] = /^\/\/ create\.ts\n([\s\S]*?)^```$/m.exec(textOf('docs/client.md')) ?? []
  expect(code).not.toBe('')
  expect(firstExampleOf('client')).toBe(code.replace("'grinpay/client'", "'@grinpay/client'"))
})

test('the README of @grinpay/grin names every entry, and none that is not exported', () => {
  const [, table = ''] = textOf('packages/grin/README.md').split('\n## Entries\n')
  const named = [...table.split('\n## ')[0]!.matchAll(/^\| `(\w+)` \|/gm)].map(([, entry]) => `./${entry}`)
  const exported = Object.keys(JSON.parse(textOf('packages/grin/package.json')).exports)
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((entry) => !exported.includes(entry))).toEqual([])
  const isNamed = (entry: string): boolean =>
    named.includes(entry) || textOf('packages/grin/README.md').includes(`@grinpay/grin${entry.slice(1)}\``)
  expect(exported.filter((entry) => !['.', './package.json'].includes(entry) && !isNamed(entry))).toEqual([])
})

test('docs/library.md lists every reason to refuse a slate or a transaction', () => {
  const files = readdirSync('src/grin', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  const inSources = files.flatMap((file) =>
    [...textOf(join('src/grin', file)).matchAll(/'((?:S1|I2|TX)_[A-Z_]+)'/g)].map(([, code]) => code),
  )
  const [, table = ''] = library.split('\n### Refusals\n')
  const listed = [...table.split('\n## ')[0]!.matchAll(/`((?:S1|I2|TX)_[A-Z_]+)`/g)].map(([, code]) => code)
  const isRefusal = (code: string | undefined): boolean => code !== 'TX_INVALID'
  expect(listed.toSorted()).toEqual([...new Set(inSources.filter(isRefusal))].toSorted())
})

test('docs/library.md counts the vectors as their table does', () => {
  const rows = textOf('test/vectors/README.md').split('\n')
  const countOf = (folder: string): number =>
    rows
      .filter((row) => row.startsWith(`| \`${folder}/`))
      .flatMap((row) => [...(row.split('|')[2] ?? '').matchAll(/` (\d+)/g)])
      .reduce((sum, [, count]) => sum + Number(count), 0)
  const saidOf = (folder: string): string | undefined =>
    new RegExp(`\\| ([\\d,]+) recorded cases.*\\| \`test/vectors/${folder}\``).exec(library)?.[1]
  expect(saidOf('crypto')).toBe(countOf('crypto').toLocaleString('en'))
  expect(saidOf('wallet')).toBe(countOf('wallet').toLocaleString('en'))
})
