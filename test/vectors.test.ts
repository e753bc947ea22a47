// Every vector file is run by the test that test/vectors/README.md names, with as many cases as it says.
import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { vectors, vectorText } from './support/vectors.js'

/** | `file` | `member` count, … | `test`, … | */
const ROW = /^\| `((?:crypto|wallet|pay|names|nostr)\/[\w-]+\.json)` \| (.*) \| (.*) \|$/

const rows = vectorText('README.md')
  .split('\n')
  .flatMap((line) => {
    const [, file = '', cases = '', runners = ''] = ROW.exec(line) ?? []
    return file === '' ? [] : [{ file, cases, runners }]
  })

const filesIn = (folder: string): string[] =>
  readdirSync(new URL(`vectors/${folder}`, import.meta.url))
    .filter((name) => name.endsWith('.json'))
    .map((name) => `${folder}/${name}`)

test('every file has its row', () => {
  expect(rows.map(({ file }) => file).sort()).toEqual(
    ['crypto', 'names', 'nostr', 'pay', 'wallet'].flatMap(filesIn).sort(),
  )
})

test.each(rows)('$file has as many cases as it says', ({ file, cases }) => {
  const content = vectors(file)
  const stated = [...cases.matchAll(/`(\w+)` (\d+)/g)].map(([, member = '', count]) => [member, Number(count)])
  expect(stated.length).toBeGreaterThan(0)
  expect(stated.map(([member = '']) => [member, Object.keys(content[member] ?? {}).length])).toEqual(stated)
})

test.each(rows.filter(({ runners }) => !runners.startsWith('no test')))('$file is run', ({ file, runners }) => {
  const name = basename(file, '.json')
  const paths = [...runners.matchAll(/`(test\/[\w/.-]+\.test\.ts)`/g)].map(([, path = '']) => path)
  expect(paths.length).toBeGreaterThan(0)
  for (const path of paths) expect(readFileSync(path, 'utf8'), path).toMatch(new RegExp(`['/]${name}(\\.json)?'`))
})
