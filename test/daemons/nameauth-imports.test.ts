// What starting the name authority loads: nothing of the till and its wallet, and no schema library (a third of all files).
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'

/** The command, and what it loads on its way. */
const ENTRIES = ['commands/serve/nameauth.ts', 'cli/settings.ts', 'daemons/nameauth.ts', 'storage/names/store.ts']
const STATIC = /(?:^|\n)\s*(?:import|export)\s+(?!type\s)(?:[^'"`;]*?from\s+)?'([^']+)'/g

/** Files of src that are loaded with these, and packages. */
function loadedWith(entries: readonly string[]): {
  readonly files: readonly string[]
  readonly packages: ReadonlySet<string>
} {
  const files = [...entries]
  const packages = new Set<string>()
  for (const file of files) {
    for (const [, target = ''] of readFileSync(join('src', file), 'utf8').matchAll(STATIC)) {
      const path = normalize(join(dirname(file), target)).replace(/\.js$/, '.ts')
      if (!target.startsWith('.')) packages.add(target)
      else if (!files.includes(path)) files.push(path)
    }
  }
  return { files, packages }
}

const { files, packages } = loadedWith(ENTRIES)

test('every file was found', () => {
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((file) => !existsSync(join('src', file)))).toEqual([])
})

test('no file of the till, its wallet and its rails', () => {
  const foreign =
    /^(till|wizard|workers|tor|rates|chain|sandbox|client|doctor)\/|^grin\/(?!amount\/)|\/till-|\/sandbox|parts\/pay\/|storage\/till\//
  expect(files.filter((file) => foreign.test(file))).toEqual([])
})

test('no schema library, no prompts, no second web framework', () => {
  expect([...packages].filter((name) => /^(zod|@inquirer|nostr-tools|execa|ws$|age-)/.test(name))).toEqual([])
})
