// What `@grinpay/grin` loads runs in a browser: no module of Node, and none of its globals, outside the entries that are for Node.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'

/** Entries for Node alone. Everything that the others reach must be portable. */
const NODE_ENTRIES = ['src/library/seedfile.ts', 'src/library/prover/node.ts', 'src/library/prover/node.worker.ts']
const NODE_THINGS =
  /from 'node:|import\('node:|import 'node:|(?<!['.\w])Buffer\b(?!')|\bprocess\.|\bNodeJS\.|\bsetImmediate\(|\brequire\(/

const sources = readdirSync('src/library', { recursive: true, encoding: 'utf8' })
const entries = sources.filter((file) => file.endsWith('.ts')).map((file) => join('src/library', file))
const portable = entries.filter((file) => !NODE_ENTRIES.includes(file))

const IMPORTS =
  /(?:^|\n)\s*(?:import|export)\s+(type\s)?[^'"`;]*?from\s+'([^']+)'|import\(\s*'([^']+)'\s*\)|(?:^|\n)import '([^']+)'/g

function importsOf(file: string): readonly string[] {
  const all = [...readFileSync(file, 'utf8').matchAll(IMPORTS)]
  return all.flatMap(([, isType, from, lazy, bare]) => (isType ? [] : [from ?? lazy ?? bare ?? '']))
}

/** Every file and package that a start reaches, lazily or at once. */
function reachedFrom(starts: readonly string[]): {
  readonly files: readonly string[]
  readonly packages: readonly string[]
} {
  const files = new Set(starts)
  const packages = new Set<string>()
  for (const file of files)
    for (const target of importsOf(file)) {
      if (!target.startsWith('.')) packages.add(target)
      else files.add(normalize(join(dirname(file), target)).replace(/\.js$/, '.ts'))
    }
  return { files: [...files], packages: [...packages] }
}

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|(?<![:'])\/\/.*$/gm, '')
const nodeThingsIn = (file: string): string[] =>
  withoutComments(readFileSync(file, 'utf8'))
    .split('\n')
    .filter((line) => NODE_THINGS.test(line))
    .map((line) => `${file}: ${line.trim()}`)

describe('the library', () => {
  const reached = reachedFrom(portable)

  test('is looked at whole', () => {
    expect(portable.length).toBeGreaterThan(10)
    expect(reached.files).toContain('src/grin/crypto/bulletproof/prove.ts')
    expect(reached.files).toContain('src/curve/machine/field-machine.ts')
    expect(reached.files).toContain('src/lib/bytes.ts')
  })

  test('reaches no module of Node and none of its globals', () => {
    expect(reached.files.flatMap(nodeThingsIn)).toEqual([])
  })

  test('reaches neither the C library of signatures nor code of the daemons', () => {
    const foreign = reached.files.filter((file) => !/^src\/(library|wallet|grin|curve|prover|lib)\//.test(file))
    expect([...foreign, ...reached.files.filter((file) => file === 'src/curve/native.ts')]).toEqual([])
  })

  test('needs packages of three makers, all without code of a machine', () => {
    const names = reached.packages.map((name) =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/'),
    )
    expect([...new Set(names)].sort()).toEqual([
      '@noble/ciphers',
      '@noble/curves',
      '@noble/hashes',
      '@scure/base',
      '@scure/bip39',
      'age-encryption',
    ])
  })

  test.each(NODE_ENTRIES)('%s is for Node, as the list says', (entry) => {
    expect(reachedFrom([entry]).packages.some((name) => name.startsWith('node:'))).toBe(true)
  })

  test('the search finds what it looks for', () => {
    expect(nodeThingsIn('src/lib/http-request.ts')).not.toEqual([])
    expect(nodeThingsIn('src/lib/secret-lines.ts')).not.toEqual([])
  })
})
