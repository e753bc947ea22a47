// Pages say what the sources say: those that are generated (scripts/pages.mjs) and those written by hand.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { errorsIn } from '../scripts/pages.mjs'
import { exitCodeOf } from '../src/cli/exit-codes.js'
import { renderRelayToml } from '../src/wizard/relay/toml.js'
import { GENERATED_PAGES } from './support/generated-pages.js'

const page = (name: string): string => readFileSync(join('docs', name), 'utf8')
const manifest = JSON.parse(readFileSync('oclif.manifest.json', 'utf8'))

test('docs/relay.example.toml is the configuration file of a relay with defaults', () => {
  expect(page('relay.example.toml')).toBe(renderRelayToml(new Map()))
})

test('the pages that are generated are ignored by git, and docs/reference.md tells of each', () => {
  const ignored = readFileSync('.gitignore', 'utf8').matchAll(/^docs\/(.+)$/gm)
  expect([...ignored].map(([, name]) => name).sort()).toEqual(Object.keys(GENERATED_PAGES).sort())
  const told = page('reference.md').matchAll(/^`([\w-]+\.md)`/gm)
  expect([...told].map(([, name]) => name).sort()).toEqual(Object.keys(GENERATED_PAGES).sort())
})

test('docs/cli.md names every flag that a command has, and no other', () => {
  const named = new Map(
    GENERATED_PAGES['cli.md']
      .split('\n## grinpay ')
      .slice(1)
      .map((section) => [section.split('\n', 1)[0] ?? '', flagsIn(section)] as const),
  )
  const everywhere = ['quiet', 'no-input', 'verbose']
  for (const { id, flags = {} } of Object.values<{ id: string; flags?: object }>(manifest.commands)) {
    const own = Object.keys(flags).filter((flag) => !everywhere.includes(flag))
    expect([id, named.get(id.replaceAll(':', ' '))]).toEqual([id, new Set(own)])
  }
})

/** Those of the list and of the lines below it; other flags that a description mentions do not count. */
const flagsIn = (section: string): ReadonlySet<string> =>
  new Set(
    section
      .split('\n')
      .filter((line) => /^- `-|^(?:Also|As with "print":) `--/.test(line))
      .flatMap((line) => [...(line.startsWith('-') ? (line.split('`')[1] ?? '') : line).matchAll(/--([a-z0-9-]+)/g)])
      .map(([, flag = '']) => flag),
  )

describe('pages of errors', () => {
  // Those of the library and of its wallet belong to the package `@grinpay/grin`; no daemon has them.
  const isOfDaemons = (file: string): boolean => !/^(library|wallet)\//.test(file)
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
    (file) => /(^|\/)errors\.ts$/.test(file) && isOfDaemons(file),
  )

  test.each([
    ['errors.md', 'that the sources name', isOfDaemons],
    ['library-errors.md', 'of the library', (file: string) => /^(grin|wallet|prover)\//.test(file)],
  ] as const)('%s has a line for every code %s', (name, _, isOfPage) => {
    const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && isOfPage(file),
    )
    const named = sources.flatMap((file) =>
      [...readFileSync(join('src', file), 'utf8').matchAll(/defineError\(\s*'([A-Z0-9_]+)'/g)].map(([, code]) => code),
    )
    expect(named.length).toBeGreaterThan(50)
    expect(named.filter((code) => !GENERATED_PAGES[name].includes(`\`${code}\``))).toEqual([])
  })

  test('every error that an operator or a shop meets says what to do', async () => {
    // Deep inside the protocol the text itself is all there is; these two are made of a text and a remedy in one.
    const inner = /^grin\/(crypto|keychain|payer)\//
    const selfEvident = ['USAGE', 'AMOUNT_OUT_OF_RANGE']
    const outer = files.filter((file) => !inner.test(file))
    const modules = await Promise.all(outer.map((file) => import(join('..', 'src', file))))
    const silent = errorsIn(modules, exitCodeOf).filter(({ hint = '' }) => hint === '')
    expect(silent.map(({ code }) => code).filter((code) => !selfEvident.includes(code))).toEqual([])
  })
})

describe('figures of the benchmarks', () => {
  test('every figure in a sentence of docs/performance.md stands in the file of bench that the sentence names', () => {
    const sentences = GENERATED_PAGES['performance.md']
      .split('\n')
      .filter((line) => !line.startsWith('|') && !/^Measured on /.test(line))
    expect(sentences.flatMap((line) => strangeFigures(line, benchFilesIn(line)))).toEqual([])
  })

  test('every figure of "When" in docs/scale.md is one of bench', () => {
    const [, when = ''] = /\n## When\n(.*?)\n## /s.exec(page('scale.md')) ?? []
    // The last column of its table is advice.
    const measured = when.split('\n').map((line) => (line.startsWith('|') ? (line.split('|')[2] ?? '') : line))
    expect(measured.flatMap((line) => strangeFigures(line, ['cluster.md', 'results.md', 'scale.md']))).toEqual([])
  })

  test('one that is not there is found', () => {
    expect(strangeFigures('12,532 answered, 12,533 refused (`bench/README.md`)', ['README.md'])).toEqual(['12,533'])
    expect(strangeFigures('nothing named, 17 times as fast', benchFilesIn('nothing named'))).toEqual(['17'])
  })
})

const benchFilesIn = (text: string): string[] =>
  [...text.matchAll(/`bench\/([\w.-]+\.md)`/g)].map(([, name = '']) => name)

/** Numbers of a text, without those inside of words, links and code. */
const figuresIn = (text: string): string[] =>
  [...text.replaceAll(/`[^`]*`|\]\([^)]*\)/g, '').matchAll(/(?<![\w.,-])\d+(?:[.,]\d+)*/g)].map(([number]) => number)

/** The figures of a text that none of these files of bench has; 10,096 and 10096 are one figure. */
function strangeFigures(text: string, files: readonly string[]): string[] {
  const known = new Set(
    files
      .flatMap((name) => figuresIn(readFileSync(join('bench', name), 'utf8')))
      .map((number) => number.replaceAll(',', '')),
  )
  return figuresIn(text).filter((number) => !known.has(number.replaceAll(',', '')))
}

/** ARCHITECTURE.md and the README of each folder. */
const maps = ['ARCHITECTURE.md', ...readdirSync('src').map((folder) => join('src', folder, 'README.md'))].filter(
  existsSync,
)

test('every file that ARCHITECTURE.md and the READMEs of folders lead to exists, and holds what is named in it', () => {
  const rows = maps.flatMap((path) => readFileSync(path, 'utf8').split('\n')).filter((line) => line.startsWith('| '))
  const named = /(?:((?:`\w+`(?:, | and )?)+) in )?`([\w/.-]+(?:\.\w+|\/)|[a-z]+\/[a-z]+)`/g
  const missing = rows.flatMap((row) => {
    let folder = '.'
    return [...row.matchAll(named)].flatMap(([, words = '', place = '']) => {
      const path = place.includes('/') ? place : join(folder, place)
      folder = dirname(path)
      if (!existsSync(path)) return [path]
      const absent = [...words.matchAll(/\w+/g)].filter(([word]) => word !== 'and' && !declares(path, word))
      return absent.map(([word]) => `${word} in ${path}`)
    })
  })
  expect(rows.length).toBeGreaterThan(20)
  expect(missing).toEqual([])
})

const declares = (path: string, word: string): boolean =>
  new RegExp(`(?:function\\*?|const) ${word}\\b|^ +(?:private )?${word}\\(`, 'm').test(readFileSync(path, 'utf8'))

/** What somebody reads, by path. */
const generated = new Map(Object.entries(GENERATED_PAGES).map(([name, text]) => [join('docs', name), text] as const))
const committed = new Map(
  [
    ...readdirSync('.'),
    ...readdirSync('docs').map((name) => join('docs', name)),
    ...readdirSync('packages').map((name) => join('packages', name, 'README.md')),
    ...readdirSync('spec').map((name) => join('spec', name)),
    ...maps.slice(1),
  ].flatMap((path) =>
    path.endsWith('.md') && !generated.has(path) ? [[path, readFileSync(path, 'utf8')] as const] : [],
  ),
)
const pages = new Map([...committed, ...generated])

test.each([
  ['', committed, committed],
  [' that is generated', generated, pages],
])('every link from a page%s leads somewhere, also within a page', (_, from, known) => {
  const anchors = new Map([...known].map(([path, text]) => [path, anchorsOf(text)]))
  const isThere = (path: string) => known.has(path) || (existsSync(path) && !generated.has(path))
  const broken = [...from].flatMap(([path, text]) =>
    [...proseOf(text).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].flatMap(([, to = '', anchor]) => {
      const target = to === '' ? path : join(dirname(path), to)
      if (!isThere(target)) return [`${path}: ${target}`]
      const parts = anchors.get(target)
      return anchor === undefined || !parts || parts.has(anchor) ? [] : [`${path}: ${target}#${anchor}`]
    }),
  )
  expect(broken).toEqual([])
})

/** As the usual renderers make them from headlines, and those that are set by hand. */
const anchorsOf = (text: string): ReadonlySet<string> =>
  new Set([
    ...[...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replace(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    ),
    ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id),
  ])

/** Without code. */
const proseOf = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '')

type Entry = {
  readonly aliases?: readonly string[]
  readonly flags?: Readonly<Record<string, { readonly char?: string }>>
}
const commands = new Map(
  Object.entries<Entry>(manifest.commands).flatMap(([id, entry]) =>
    [id, ...(entry.aliases ?? [])].map((name) => [name.replaceAll(':', ' '), entry] as const),
  ),
)

test('every command that a page names exists', () => {
  const topics = new Set([...commands.keys()].map((command) => command.split(' ')[0]))
  const missing = [...pages].flatMap(([path, text]) =>
    [...text.matchAll(/grinpay ([a-z]+(?: [a-z][a-z-]+)?)/g)].flatMap(([, words = '']) => {
      const [topic = ''] = words.split(' ')
      return !topics.has(topic) || words === topic || commands.has(words) || commands.has(topic)
        ? []
        : [`${path}: grinpay ${words}`]
    }),
  )
  expect(missing).toEqual([])
})

test('every flag that a page gives to a command is one of its flags', () => {
  const flagMentions = [...pages].flatMap(([path, text]) =>
    [...text.matchAll(/grinpay ([a-z]+(?: [a-z][a-z-]+)*)((?: [^`|;&#\n]*)?)/g)].flatMap(
      ([, words = '', rest = '']) => {
        const name = longest(words)
        const flags = commands.get(name)?.flags
        if (!flags) return []
        const given = [...`${words.slice(name.length)} ${rest}`.matchAll(/ --([a-z][a-z0-9-]*)/g)].map(
          ([, flag = '']) => flag,
        )
        return given.map((flag) => ({ where: `${path}: grinpay ${name} --${flag}`, isKnown: isFlag(flags, flag) }))
      },
    ),
  )
  expect(flagMentions.length).toBeGreaterThan(200)
  expect(flagMentions.filter(({ isKnown }) => !isKnown).map(({ where }) => where)).toEqual([])
})

const isFlag = (flags: NonNullable<Entry['flags']>, flag: string): boolean =>
  flag in flags || flag.replace(/^no-/, '') in flags || ['help', 'version'].includes(flag)

/** The longest command that these words begin with. */
function longest(words: string): string {
  const parts = words.split(' ')
  for (let count = Math.min(parts.length, 3); count > 0; count--) {
    const name = parts.slice(0, count).join(' ')
    if (commands.has(name)) return name
  }
  return ''
}
