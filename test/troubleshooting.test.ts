// docs/troubleshooting.md leads on from every code and every line of the doctor, and quotes nothing that the program does not say.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CHECK_NAMES, NAMEAUTH_CHECK_NAMES, RELAY_CHECK_NAMES } from '../src/doctor/index.js'

const read = (path: string): string => readFileSync(path, 'utf8')
const page = read('docs/troubleshooting.md')
/** What a reader finds: also the page that shows the doctor's findings. */
const told = `${page}\n${read('docs/doctor.md')}`
const sourcesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|eta|sql)$/.test(file))
    .map((file) => join(folder, file))

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
  const codes = [...read('docs/errors.md').matchAll(/^\| <a id="[^"]*"><\/a>`([A-Z0-9_…]+)`/gm)].map(
    ([, code = '']) => code,
  )
  const isOf = (pattern: string, code: string): boolean =>
    pattern.endsWith('…') ? code.startsWith(pattern.slice(0, -1)) : code === pattern

  test('each of errors.md has a row that leads on', () => {
    expect(codes.length).toBeGreaterThan(200)
    expect(codes.filter((code) => !patterns.some((pattern) => isOf(pattern, code)))).toEqual([])
  })

  test('each row is about codes that there are', () => {
    // The rules of slates are told with codes of their own (S1_…, I2_…); no catalogue lists them.
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
  test.each([
    ['till', CHECK_NAMES, page.split('\n## ')[0] ?? ''],
    ['name authority', NAMEAUTH_CHECK_NAMES, section('Names do not work as they should')],
    ['relay', RELAY_CHECK_NAMES, section('The relay')],
  ])('every check of the %s is named where it is about it', (_, names, part) => {
    expect(names.filter((name) => !part.includes(`\`${name}\``))).toEqual([])
  })

  /** Tables escape and mark; words stay. */
  const plain = (text: string): string => text.replace(/\s+/g, ' ').replace(/[`\\|*]/g, '')
  const CALL = /\b(?:fail|warn)\(\s*(?:'((?:\\.|[^'])*)'|`((?:\\.|[^`])*)`|"((?:\\.|[^"])*)")/g

  /** The longest piece of a line that is always the same. */
  function wordsOf(line: string): string {
    const pieces = line
      .split(/\$\{(?:[^{}]|\{[^}]*\})*\}/)
      .map((piece) => plain(piece).replace(/^[\s:,.();]+|[\s:,.();]+$/g, ''))
    return pieces.reduce((best, piece) => (piece.length > best.length ? piece : best), '')
  }

  test('every line of it that is no "pass" is told, or shown in doctor.md', () => {
    const words = sourcesIn('src/doctor').flatMap((file) =>
      [...read(file).matchAll(CALL)].map(([, a, b, c]) => wordsOf(a ?? b ?? c ?? '')),
    )
    const whole = words.filter((text) => text.length >= 6).map((text) => text.split(/ ?\$\{/)[0] ?? '')
    expect(whole.length).toBeGreaterThan(60)
    const text = plain(told)
    expect([...new Set(whole)].filter((one) => !text.includes(one))).toEqual([])
  })
})

describe('what it quotes', () => {
  const words = (text: string): readonly string[] => text.match(/[\p{L}\p{N}_-]+/gu) ?? []
  const rows = (text: string, length: number): readonly string[] => {
    const all = words(text)
    return all.flatMap((_, at) => (at + length <= all.length ? [all.slice(at, at + length).join(' ')] : []))
  }
  const spoken = [...sourcesIn('src'), ...sourcesIn('templates')]
    .flatMap((file) => read(file).split(/\$\{(?:[^{}]|\{[^}]*\})*\}/))
    .map((text) => text.replace(/\\'/g, "'"))
  /** Every one, two and three words in a row that daemons, commands and pages say; values are cut out. */
  const said = [1, 2, 3].map((length) => new Set(spoken.flatMap((text) => rows(text, length))))
  /** Said by others: systemd, Node, SQLite; or a pattern of what they say. */
  const FOREIGN = ['status=216/GROUP', 'node: …: not found', 'database or disk is full', 'HTTP 3xx', 'HTTP 401']

  const quotes = (page.split('\n## By code\n')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => [...(line.split(/(?<!\\)\|/)[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, quote = '']) => quote))
    .filter((quote) => words(quote).length >= 3 && !quote.startsWith('grinpay '))

  test('the program says', () => {
    expect(quotes.length).toBeGreaterThan(70)
    /** Its longest piece between values has to be; of a long one three words in a row. */
    const isSaid = (quote: string): boolean => {
      const pieces = quote.split(/\S*[…/]\S*|\b[A-Z]+_[A-Z_]+\b/)
      const longest = pieces.reduce((best, one) => (words(one).length > words(best).length ? one : best), '')
      const length = Math.min(3, words(longest).length)
      return rows(longest, length).some((row) => said[length - 1]?.has(row))
    }
    expect(quotes.filter((quote) => !FOREIGN.includes(quote) && !isSaid(quote))).toEqual([])
  })
})
