// docs/troubleshooting.md leads on from every error code, docs/doctor.md lists every check.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { CHECK_NAMES, NAMEAUTH_CHECK_NAMES, RELAY_CHECK_NAMES } from '../src/doctor/index.js'
import { GENERATED_PAGES } from './support/generated-pages.js'

const read = (path: string): string => readFileSync(path, 'utf8')
const page = read('docs/troubleshooting.md')

/** A section by its heading, without those below it. */
function section(heading: string): string {
  const [, body = ''] = page.split(`\n## ${heading}\n`)
  return body.split('\n## ')[0] ?? ''
}

describe('codes', () => {
  const rows = section('By code')
    .split('\n')
    .filter((line) => /^\| `/.test(line))
    .map((line) => line.split('|')[1] ?? '')
  const patterns = rows.flatMap((cell) => [...cell.matchAll(/`([A-Z0-9_]+…?)`/g)].map(([, pattern = '']) => pattern))
  const codes = [...GENERATED_PAGES['errors.md'].matchAll(/^- <a id="[^"]*"><\/a>`([A-Z0-9_…]+)`/gm)].map(
    ([, code = '']) => code,
  )
  const isOf = (pattern: string, code: string): boolean =>
    pattern.endsWith('…') ? code.startsWith(pattern.slice(0, -1)) : code === pattern

  test('each of errors.md has a row that leads on', () => {
    expect(codes.length).toBeGreaterThan(200)
    expect(codes.filter((code) => !patterns.some((pattern) => isOf(pattern, code)))).toEqual([])
  })

  test('each row is about codes that there are', () => {
    // The rules of slates have codes of their own (S1_…, I2_…); no catalogue lists them.
    const unlisted = ['I2_…']
    const idle = patterns.filter((pattern) => !unlisted.includes(pattern) && !codes.some((code) => isOf(pattern, code)))
    expect(idle).toEqual([])
  })

  test('each link within the page leads to a heading', () => {
    const anchors = new Set(
      [...page.matchAll(/^## (.+)$/gm)].map(([, heading = '']) =>
        heading
          .toLowerCase()
          .replace(/[^a-z0-9 -]/g, '')
          .replaceAll(' ', '-'),
      ),
    )
    const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor = '']) => anchor)
    expect(links.length).toBeGreaterThan(20)
    expect(links.filter((anchor) => !anchors.has(anchor))).toEqual([])
  })
})

describe('the doctor', () => {
  const rows = read('docs/doctor.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
  test.each([
    ['till', CHECK_NAMES, 2],
    ['name authority', NAMEAUTH_CHECK_NAMES, 3],
    ['relay', RELAY_CHECK_NAMES, 4],
  ] as const)('docs/doctor.md says what each check of the %s looks at, and lists no other', (_, names, column) => {
    const listed = rows.filter((cells) => cells[column]).flatMap(([, name = '']) => [...name.matchAll(/`(\w+)`/g)])
    const shared = ['till', 'daemon'] // one row: the same check under two names
    const withoutShared = (all: readonly string[]) => all.filter((name) => !shared.includes(name)).sort()
    expect(withoutShared(listed.map(([, name = '']) => name))).toEqual(withoutShared(names))
  })
})
