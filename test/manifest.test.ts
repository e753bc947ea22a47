// oclif.manifest.json is committed: it must say exactly what the sources say ("node scripts/build.mjs" rewrites it).

import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, sep } from 'node:path'
import type { Command } from '@oclif/core'
import { describe, expect, test } from 'vitest'

/** What the manifest tool itself uses; oclif does not export it. */
const {
  cacheCommand,
}: { cacheCommand: (command: Command.Class, plugin: undefined, isManifest: boolean) => Promise<object> } =
  createRequire(import.meta.url)('../node_modules/@oclif/core/lib/util/cache-command.js')

type Entry = Record<string, unknown> & {
  readonly summary?: string
  readonly description?: string
  readonly examples?: readonly string[]
}

const manifest: { commands: Record<string, Entry>; version: string } = JSON.parse(
  readFileSync('oclif.manifest.json', 'utf8'),
)
const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
const files = readdirSync('src/commands', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
const idOf = (file: string): string => file.replace(/\.ts$/, '').split(sep).join(':')
/** `serve/index.ts` would be the command of the topic itself. */
const ids = files.map((file) => idOf(file).replace(/:index$/, ''))

/** What the manifest tool adds for its own use. */
const ADDED = [
  'isESM',
  'relativePath',
  'pluginAlias',
  'pluginName',
  'pluginType',
  'id',
  'aliasPermutations',
  'permutations',
  'installFlags', // a static of our base class: `flags` holds them too, and the parser writes names into these once they were used
]

const bare = (entry: object): object =>
  Object.fromEntries(Object.entries(JSON.parse(JSON.stringify(entry))).filter(([name]) => !ADDED.includes(name)))

test('the manifest knows every command and no other, in this version', () => {
  expect(Object.keys(manifest.commands).sort()).toEqual([...ids].sort())
  expect(manifest.version).toBe(version)
})

describe.each(files)('%s', (file) => {
  const committed = manifest.commands[idOf(file).replace(/:index$/, '')] ?? {}

  test('is in the manifest as it is in the source', async () => {
    const { default: command }: { default: Command.Class } = await import(join('..', 'src', 'commands', file))
    expect(bare(committed)).toEqual(bare(await cacheCommand(command, undefined, true)))
  })

  test('says more in its description than in its summary, or has none', () => {
    const plain = (text: unknown) =>
      String(text)
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, ' ')
        .trim()
    if (committed.description === undefined) return
    expect(plain(committed.summary)).not.toContain(plain(committed.description))
    expect(plain(committed.description)).not.toBe(plain(committed.summary))
  })

  test('has a lower-case summary and two examples', () => {
    expect(committed.summary).toMatch(/^[a-z].*[^.]$/)
    expect(committed.examples?.length).toBeGreaterThanOrEqual(2)
  })
})
