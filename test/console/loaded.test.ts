// A daemon without console loads nothing of it, and a console nothing of passkeys before somebody uses one.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'

const IMPORT = /(?:^|\n)(?:import|export)\s+(?!type\s)(?:[^'"`;]*?from\s+)?'([^']+)'/g

/** Everything that loading this file loads: files below src, and packages. */
function loadedBy(entry: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(entry)) return seen
  seen.add(entry)
  if (!existsSync(entry)) return seen
  for (const [, target = ''] of readFileSync(entry, 'utf8').matchAll(IMPORT))
    loadedBy(target.startsWith('.') ? normalize(join(dirname(entry), target)).replace(/\.js$/, '.ts') : target, seen)
  return seen
}

const OF_CONSOLE = /^src\/(?:\w+\/)?console\/|\/parts\/(?:\w+\/)?console/

test.each([
  ['till', 'src/daemons/pay.ts', 200],
  ['name authority', 'src/daemons/nameauth.ts', 60],
])('a %s loads no console', (_daemon, entry, least) => {
  const files = [...loadedBy(entry)]
  expect(files.length).toBeGreaterThan(least)
  expect(files.filter((file) => OF_CONSOLE.test(file))).toEqual([])
})

test('a relay loads no console', () => {
  const files = [...loadedBy('src/daemons/relay.ts')]
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((file) => OF_CONSOLE.test(file))).toEqual([])
})

test('a console loads no passkeys', () => {
  const files = [...loadedBy('src/daemons/parts/pay/console.ts')]
  expect(files).toContain('src/console/sign-in/passkeys.ts')
  expect(files).not.toContain('@simplewebauthn/server')
})
