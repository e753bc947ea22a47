// `@grinpay/grin` and `@grinpay/client` as npm would publish them, installed from their archives in a project of their own.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { archiveProblems } from '../../scripts/archive-checks.mjs'
import { PROGRAMS as BROWSER_PROGRAMS, sizeOf } from '../../scripts/bundle.mjs'
import { installPackages } from '../support/installed-packages.js'
import type { ScratchProject } from '../support/packed-packages.js'

const PROGRAMS = 'test/packages/programs'

let project: ScratchProject
beforeAll(async () => {
  project = await installPackages(['grin', 'client'])
}, 300_000)
afterAll(() => project?.remove())

const filesOf = (name: 'grin' | 'client', ending: string): string[] =>
  readdirSync(project.package(name), { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith(ending) && !file.startsWith('node_modules/'),
  )
const textOf = (name: 'grin' | 'client', file: string): string =>
  readFileSync(join(project.package(name), file), 'utf8')
const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')

test.each(['grin', 'client'] as const)('publint and attw find nothing in the archive of %s', async (name) => {
  expect(await archiveProblems(project.archive(name))).toEqual([])
  for (const file of ['LICENSE', 'SECURITY.md', 'CHANGELOG.md', 'README.md']) expect(textOf(name, file)).not.toBe('')
})

test('two wallets pay each other, standard and by invoice', async () => {
  expect((await project.runProgram(join(PROGRAMS, 'receive.mjs'))).split('\n')).toEqual([
    'standard valid 1.5',
    'found m/3/0/7 1500000000',
    'invoice valid',
    'refused true S1_WRONG_AMOUNT',
    '',
  ])
})

test('a shop checks a webhook', async () => {
  expect(await project.runProgram(join(PROGRAMS, 'webhook.mjs'))).toBe('payment.confirmed\ntrue WEBHOOK_REFUSED\n')
})

describe('@grinpay/grin', () => {
  const entries = () => Object.keys(JSON.parse(textOf('grin', 'package.json')).exports)

  test('every entry can be imported, and its types need nothing of Node or the DOM', async () => {
    // The script of a Web Worker is not imported.
    const names = entries().filter((entry) => !['./package.json', './prove.worker'].includes(entry))
    const imports = names.map((entry, i) => `import * as entry${i} from '@grinpay/grin${entry.slice(1)}'`)
    const code = `${imports.join('\n')}\nexport const all = [${names.map((_, i) => `entry${i}`).join()}]\n`
    writeFileSync(join(project.folder, 'entries.ts'), code)
    writeFileSync(join(project.folder, 'entries.mjs'), `${code}\nconsole.log(all.length)\n`)
    expect(await project.compile(['entries.ts'])).toBe('')
    expect(await project.compile(['entries.ts'], { lib: 'es2023' })).toBe('')
    expect(await project.runProgram(join(project.folder, 'entries.mjs'))).toBe(`${names.length}\n`)
  })

  test('its types name neither our class for secrets nor anything of Node', () => {
    const declarations = filesOf('grin', '.d.ts')
    expect(declarations.length).toBeGreaterThan(30)
    const foreign = declarations.filter((file) =>
      /\bSecret\b|\bBuffer\b|'node:|\bNodeJS\b/.test(withoutComments(textOf('grin', file))),
    )
    expect(foreign).toEqual([])
  })

  test('needs at most six packages', () => {
    const { dependencies, optionalDependencies, peerDependencies } = JSON.parse(textOf('grin', 'package.json'))
    expect(Object.keys(dependencies).length).toBeLessThanOrEqual(6)
    expect([optionalDependencies, peerDependencies]).toEqual([undefined, undefined])
  })

  test('holds no source, no map and no code of the daemons', () => {
    const folders = new Set(filesOf('grin', '').flatMap((file) => /^dist\/([^/]+)\//.exec(file)?.[1] ?? []))
    expect(
      [...folders].filter(
        (folder) => !['library', 'wallet', 'grin', 'curve', 'prover', 'lib', 'browser'].includes(folder),
      ),
    ).toEqual([])
    expect(filesOf('grin', '').filter((file) => /\.map$|(?<!\.d)\.ts$|tsconfig/.test(file))).toEqual([])
  })
})

describe('@grinpay/grin in a page', () => {
  const sizes = new Map<string, number>()
  const gzippedSize = (program: string): number => sizes.get(program) ?? Number.NaN
  beforeAll(() => {
    for (const [name, program] of Object.entries(BROWSER_PROGRAMS))
      sizes.set(name, sizeOf(program, project.folder).gzipped)
  })

  test('receiving and slatepacks come to at most 120 kB, gzipped, with all that they depend on', () => {
    expect(gzippedSize('receive and slatepack')).toBeLessThanOrEqual(120_000)
    expect(gzippedSize('receive, slatepack and keychain')).toBeLessThanOrEqual(120_000)
  })

  test('what a program does not use is left out', () => {
    expect(gzippedSize('slatepack')).toBeLessThan(0.8 * gzippedSize('receive and slatepack'))
    expect(gzippedSize('slatepack without encryption')).toBeLessThan(0.3 * gzippedSize('receive and slatepack'))
    expect(gzippedSize('slate')).toBeLessThan(0.4 * gzippedSize('receive and slatepack'))
    expect(gzippedSize('everything')).toBeGreaterThan(gzippedSize('receive and slatepack'))
  })

  test('a page without a bundler gets two files that import nothing, and the licences of what is in them', () => {
    for (const file of ['grin.js', 'prove.worker.js'])
      expect(textOf('grin', `dist/browser/${file}`)).not.toMatch(/\bfrom\s*["'][^"']*["']|\bimport\s*(\(\s*)?["']/)
    expect(textOf('grin', 'dist/browser/grin.js')).toContain('new URL("./prove.worker.js",import.meta.url)')
    const licences = textOf('grin', 'dist/browser/LICENSES.txt')
    for (const name of Object.keys(JSON.parse(textOf('grin', 'package.json')).dependencies))
      expect(licences).toContain(`${name} `)
  })
})

describe('@grinpay/client', () => {
  test('has no dependency, and no code of the daemons', () => {
    const manifest = JSON.parse(textOf('client', 'package.json'))
    expect([manifest.dependencies, manifest.optionalDependencies]).toEqual([undefined, undefined])
    const built = filesOf('client', '.js')
    expect(built.filter((file) => !/^dist\/(client|lib)\//.test(file))).toEqual([])
    expect(built.length).toBeLessThan(20)
  })

  test('its types need nothing of Node or the DOM', async () => {
    writeFileSync(
      join(project.folder, 'shop.ts'),
      "import * as client from '@grinpay/client'\nexport const all = client\n",
    )
    expect(await project.compile(['shop.ts'])).toBe('')
    expect(await project.compile(['shop.ts'], { lib: 'es2023' })).toBe('')
  })
})
