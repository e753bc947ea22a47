// Every citation of the specification leads to a section of spec/, and all have one form: `specification: names, 6 and 7; relay, 6`.
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { errorsIn } from '../scripts/pages.mjs'
import * as authorityErrors from '../src/authority/errors.js'
import { exitCodeOf } from '../src/cli/exit-codes.js'
import { DEFAULT_KINDS, RULES } from '../src/relay/policy/rules.js'
import { webhookRetryDelay } from '../src/till/webhooks/schedule.js'

interface Citation {
  readonly place: string
  readonly part: string
  /** `6`, `10.2`. */
  readonly section: string
  /** What stands in quotes behind it: words of that section. */
  readonly phrase: string | undefined
}

const READ: ReadonlySet<string> = new Set(['.ts', '.md', '.js', '.mjs', '.html', '.css', '.eta'])
const SKIPPED = /(^|\/)(node_modules|dist|api)(\/|$)/

const sources = ['src', 'test', 'docs', 'packages', 'examples', 'bench', 'scripts', 'templates']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name).replaceAll('\\', '/')),
  )
  .filter((path) => READ.has(extname(path)) && !SKIPPED.test(path) && path !== 'test/specification.test.ts')

const parts = readdirSync('spec').flatMap((name) =>
  name.endsWith('.md') && name !== 'README.md' ? [name.slice(0, -'.md'.length)] : [],
)

const PART = `(?:${parts.join('|')})`
const NUMBER = String.raw`\d+(?:\.\d+)*`
const NUMBERS = `${NUMBER}(?:(?:, | and | to )${NUMBER})*`
const CITED = new RegExp(
  `[Ss]pecification: (${PART}, ${NUMBERS}(?:; ${PART}, ${NUMBERS})*)(?::? "([^"]+)"|, "([^"]+)")?`,
  'g',
)
/** What reads like a citation: a part and a number behind the word or alone in parentheses, a file of spec/ with a number. */
const LIKE_CITED = new RegExp(
  String.raw`\b[Ss]pecification\W{0,3}${PART}(?:\.md)?,? \d|(?<!: )\b${PART}\.md,? \d| \(${PART}, \d|\bcontract: ${PART}\b`,
  'g',
)

/** Lines of a comment become one: a citation may go on behind a line break. */
const flat = (text: string): string => text.replaceAll(/\n[ \t]*(?:\/\/|\*(?!\/)|#)?[ \t]*/g, ' ')

/** `4 to 6` is 4, 5 and 6, and `10.3 to 10.5` is 10.3, 10.4 and 10.5. */
function sectionsIn(numbers: string): string[] {
  return numbers.split(/, | and /).flatMap((one) => {
    const [from = '', to = from] = one.split(' to ')
    const stem = from.slice(0, from.lastIndexOf('.') + 1)
    const [first, last] = [from, to].map((number) => Number(number.slice(number.lastIndexOf('.') + 1)))
    return Array.from({ length: Number(last) - Number(first) + 1 }, (_, at) => `${stem}${Number(first) + at}`)
  })
}

function citationsIn(place: string, text: string): Citation[] {
  return [...flat(text).matchAll(CITED)].flatMap(([, cited = '', colon, comma]) =>
    cited.split('; ').flatMap((one) => {
      const [part = '', numbers = ''] = one.split(/, (.*)/)
      return sectionsIn(numbers).map((section) => ({ place, part, section, phrase: colon ?? comma }))
    }),
  )
}

/** The places whose citations are in another form. */
function oddIn(place: string, text: string): string[] {
  const plain = flat(text)
  const good = new Set([...plain.matchAll(CITED)].map(({ index }) => index))
  return [...plain.matchAll(LIKE_CITED)]
    .filter(({ index }) => !good.has(index))
    .map(({ index }) => `${place}: ${plain.slice(index, index + 60)}`)
}

/** The text of each numbered section of a part, with those below it. The points of a numbered list count as sections below its own. */
function sectionsOf(part: string): ReadonlyMap<string, string> {
  const text = readFileSync(`spec/${part}.md`, 'utf8')
  const heads = [...text.matchAll(/^(#{2,4}) (\d+(?:\.\d+)*)\.? /gm)].map(
    ({ 1: hashes = '', 2: number = '', index }) => ({
      level: hashes.length,
      number,
      index,
    }),
  )
  const found = heads.map(({ level, number, index }, at) => {
    const end = heads.slice(at + 1).find((next) => next.level <= level)?.index
    return [number, text.slice(index, end).replaceAll(/[*`]/g, '')] as const
  })
  const points = found.flatMap(([number, body]) =>
    [...body.matchAll(/^(\d+)\. (.*)/gm)].map(([, point = '', line = '']) => [`${number}.${point}`, line] as const),
  )
  return new Map([...points, ...found])
}

const sections = new Map(parts.map((part) => [part, sectionsOf(part)]))

const unresolved = (citations: readonly Citation[]): string[] =>
  citations.flatMap(({ place, part, section, phrase }) => {
    const text = sections.get(part)?.get(section)
    if (text === undefined) return [`${place}: ${part} has no section ${section}`]
    return phrase === undefined || text.includes(phrase)
      ? []
      : [`${place}: ${part}, ${section} does not say "${phrase}"`]
  })

const texts = sources.map((path) => [path, readFileSync(path, 'utf8')] as const)

test('every citation leads to a section', () => {
  const citations = texts.flatMap(([path, text]) => citationsIn(path, text))
  expect(citations.length).toBeGreaterThan(250)
  expect(unresolved(citations)).toEqual([])
})

test('all citations have one form', () => {
  expect(texts.flatMap(([path, text]) => oddIn(path, text))).toEqual([])
})

test('the numbers of each part are in order, none twice', () => {
  for (const part of parts) {
    const numbers = [...readFileSync(`spec/${part}.md`, 'utf8').matchAll(/^#{2,4} (\d+(?:\.\d+)*)\.? /gm)].map(
      ([, number]) => number,
    )
    expect([part, numbers]).toEqual([
      part,
      numbers.toSorted((a, b) => (a ?? '').localeCompare(b ?? '', 'en', { numeric: true })),
    ])
    expect([part, new Set(numbers).size]).toEqual([part, numbers.length])
  }
})

describe('says what the sources do:', () => {
  const section = (part: string, number: string): string => sections.get(part)?.get(number) ?? ''

  test('the write rules of the relay, in their order', () => {
    const rows = [...section('relay', '6').matchAll(/^\| (\d+\w?) \|.*\| ([^|]+?)(?: \(id ""\))? \|$/gm)].map(
      ([, number, refusal]) => ({ number, refusal }),
    )
    const ofAuthority = ['10', '11'] // decided in src/relay/policy/authority-checks.ts, which asks the authority
    expect(rows.filter(({ number = '' }) => !ofAuthority.includes(number))).toEqual(
      RULES.map(({ number, refusal }) => ({ number, refusal })),
    )
    expect(section('relay', '6')).toContain(`: ${DEFAULT_KINDS.join(' ')}.`)
  })

  test('every text with which the name authority refuses', () => {
    const text = readFileSync('spec/names.md', 'utf8')
    const refusals = errorsIn([authorityErrors], exitCodeOf).map(({ message }) => message.split('…')[0]?.trim() ?? '')
    expect(refusals.length).toBeGreaterThan(30)
    expect(refusals.filter((refusal) => !text.includes(refusal))).toEqual([])
  })

  test('every text of the till that is wire', () => {
    const source = readFileSync('src/till/errors.ts', 'utf8')
    const wire = [...source.matchAll(/text: \([^)]*\) => (['`])(.*?)\1, \/\/ wire/g)].map(
      ([, , text = '']) => text.split('${')[0]?.replaceAll('\\`', '`').trim() ?? '',
    )
    expect(wire.length).toBeGreaterThan(8)
    expect(wire.filter((text) => !readFileSync('spec/invoicing.md', 'utf8').includes(text))).toEqual([])
  })

  test('the times at which a webhook is tried again', () => {
    const delays = Array.from({ length: 11 }, (_, at) => webhookRetryDelay(at + 1))
    expect(delays).toEqual([30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600, 3600])
    expect(webhookRetryDelay(12)).toBeUndefined()
    expect(section('invoicing', '8.3')).toContain(`${delays.slice(0, 7).join(', ')}, 3600 ×4`)
  })
})

describe('a planted citation', () => {
  const planted = (text: string): string[] => [...unresolved(citationsIn('planted', text)), ...oddIn('planted', text)]

  test.each([
    ['// (specification: names, 99)', ['planted: names has no section 99']],
    [
      '// (specification: names, 6 and 7.1; relay, 14)',
      ['planted: names has no section 7.1', 'planted: relay has no section 14'],
    ],
    ['/** Specification:\n   * invoicing, 4.6\n   * to 4.9. */', ['planted: invoicing has no section 4.9']],
    ['// (specification: names, 6, "Auction")', ['planted: names, 6 does not say "Auction"']],
    ['// (specification names, 6)', ['planted: specification names, 6)']],
    ['// (specification: grin-crypto 7.3)', ['planted: specification: grin-crypto 7.3)']],
    ['// (grin-wallet.md 2.4)', ['planted: grin-wallet.md 2.4)']],
    ['// a window that slides (names, 4)', ['planted:  (names, 4)']],
  ])('%j is found', (text, found) => {
    expect(planted(text)).toEqual(found)
  })

  test('a good one is not', () => {
    expect(planted('// (specification: names, 6 and 10.3 to 10.5; grin-crypto, 8.7)')).toEqual([])
  })
})
