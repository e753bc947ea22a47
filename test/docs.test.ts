// Generated pages are committed; they must say what the sources say ("npm run docs" rewrites them).
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { cliPage, errorsIn, errorsPage, libraryErrorsPage, settingsPage } from '../scripts/pages.mjs'
import { performancePage } from '../scripts/performance-page.mjs'
import { EXIT, EXIT_MEANING, exitCodeOf } from '../src/cli/exit-codes.js'
import { settingGroups } from '../src/config/index.js'
import { renderRelayToml } from '../src/wizard/relay/toml.js'

const page = (name: string): string => readFileSync(join('docs', name), 'utf8')
const manifest = JSON.parse(readFileSync('oclif.manifest.json', 'utf8'))

test('docs/settings.md is the table of settings', () => {
  expect(page('settings.md')).toBe(
    settingsPage({ pay: settingGroups('pay'), nameauth: settingGroups('nameauth'), relay: settingGroups('relay') }),
  )
})

test('docs/relay.example.toml is the configuration file of a relay with defaults', () => {
  expect(page('relay.example.toml')).toBe(renderRelayToml(new Map()))
})

test('docs/cli.md is the manifest and the exit codes', () => {
  expect(page('cli.md')).toBe(cliPage(manifest, EXIT, EXIT_MEANING))
})

test('docs/cli.md names every flag that a command has, and no other', () => {
  const named = new Map(
    page('cli.md')
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

describe('docs/errors.md', () => {
  // Those of the library and of its wallet belong to the package `@grinpay/grin`; no daemon has them.
  const isOfDaemons = (file: string): boolean => !/^(library|wallet)\//.test(file)
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
    (file) => /(^|\/)errors\.ts$/.test(file) && isOfDaemons(file),
  )

  test('lists every catalogue', async () => {
    const modules = await Promise.all(files.sort().map((file) => import(join('..', 'src', file))))
    expect(page('errors.md')).toBe(errorsPage(errorsIn(modules, exitCodeOf)))
  })

  test('has a line for every code that the sources name', () => {
    const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && isOfDaemons(file),
    )
    const named = sources.flatMap((file) =>
      [...readFileSync(join('src', file), 'utf8').matchAll(/defineError\(\s*'([A-Z0-9_]+)'/g)].map(([, code]) => code),
    )
    expect(named.length).toBeGreaterThan(50)
    expect(named.filter((code) => !page('errors.md').includes(`\`${code}\``))).toEqual([])
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

test('docs/library-errors.md lists the catalogues of the library', async () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) =>
    /^(grin|wallet|prover)\/(.*\/)?errors\.ts$/.test(file),
  )
  const modules = await Promise.all(files.sort().map((file) => import(join('..', 'src', file))))
  expect(page('library-errors.md')).toBe(libraryErrorsPage(errorsIn(modules, () => 0)))
})

describe('figures of the benchmarks', () => {
  test('docs/performance.md is made from bench/baseline.json', () => {
    expect(page('performance.md')).toBe(performancePage(JSON.parse(readFileSync('bench/baseline.json', 'utf8'))))
  })

  test('every figure in a sentence of docs/performance.md stands in the file of bench that the sentence names', () => {
    const sentences = page('performance.md')
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

const pages = [
  ...readdirSync('.'),
  ...readdirSync('docs').map((name) => join('docs', name)),
  ...readdirSync('packages').map((name) => join('packages', name, 'README.md')),
  ...readdirSync('spec').map((name) => join('spec', name)),
  ...maps.slice(1),
].filter((path) => path.endsWith('.md'))

test('every link from page to page leads somewhere, also within a page', () => {
  const anchors = new Map(pages.map((path) => [path, anchorsOf(readFileSync(path, 'utf8'))]))
  const broken = pages.flatMap((path) =>
    [...proseOf(path).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].flatMap(([, to = '', anchor]) => {
      const target = to === '' ? path : join(dirname(path), to)
      if (!existsSync(target)) return [`${path}: ${target}`]
      const known = anchors.get(target)
      return anchor === undefined || !known || known.has(anchor) ? [] : [`${path}: ${target}#${anchor}`]
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
const proseOf = (path: string): string =>
  readFileSync(path, 'utf8')
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/`[^`\n]*`/g, '')

type Entry = {
  readonly aliases?: readonly string[]
  readonly flags?: Readonly<Record<string, { readonly char?: string }>>
}
const commands = new Map(
  Object.entries<Entry>(manifest.commands).flatMap(([id, entry]) =>
    [id, ...(entry.aliases ?? [])].map((name) => [name.replaceAll(':', ' '), entry] as const),
  ),
)

test('every command of the pages written by hand exists', () => {
  const topics = new Set([...commands.keys()].map((command) => command.split(' ')[0]))
  const missing = pages.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/grinpay ([a-z]+(?: [a-z][a-z-]+)?)/g)].flatMap(([, words = '']) => {
      const [topic = ''] = words.split(' ')
      return !topics.has(topic) || words === topic || commands.has(words) || commands.has(topic)
        ? []
        : [`${path}: grinpay ${words}`]
    }),
  )
  expect(missing).toEqual([])
})

test('every flag that a page gives to a command is one of its flags', () => {
  const flagMentions = pages.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/grinpay ([a-z]+(?: [a-z][a-z-]+)*)((?: [^`|;&#\n]*)?)/g)].flatMap(
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
