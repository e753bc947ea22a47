// The manifests of the packages: one version, exports that name every entry, dependencies in the versions that the tests run with.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { version as clientVersion } from '../../src/client/shop/version.js'
import { version as grinVersion } from '../../src/library/version.js'

const json = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
const till = json('package.json')
const grin = json('packages/grin/package.json')
const client = json('packages/client/package.json')

test('all three packages have one version, one floor of Node and one licence', () => {
  for (const { version, engines, license } of [grin, client])
    expect({ version, engines, license }).toEqual({
      version: till.version,
      engines: till.engines,
      license: till.license,
    })
})

test('each package says its own version', () => {
  expect([grinVersion, clientVersion]).toEqual([grin.version, client.version])
})

test('the library asks for the versions that its tests run with, or newer ones that are compatible', () => {
  for (const [name, range] of Object.entries(grin.dependencies)) expect(range).toBe(`^${till.dependencies[name]}`)
  expect(Object.keys(grin.dependencies).length).toBeLessThanOrEqual(6)
  expect(client.dependencies).toBeUndefined()
})

test('every namespace of the front door is an export of its own', () => {
  const front = readFileSync('src/library/index.ts', 'utf8')
  const namespaces = [...front.matchAll(/export \* as (\w+) from '\.\/([\w-]+)\.js'/g)]
  expect(namespaces.length).toBeGreaterThan(10)
  for (const [, namespace, file] of namespaces) {
    expect(file).toBe(namespace)
    expect(grin.exports[`./${namespace}`]).toEqual({
      types: `./dist/library/${file}.d.ts`,
      default: `./dist/library/${file}.js`,
    })
  }
})

test('every export has its source', () => {
  const targets = (value: object | string): string[] =>
    typeof value === 'string' ? [value] : Object.values(value).flatMap(targets)
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  for (const { exports } of [grin, client])
    for (const target of targets(exports).filter((path) => path.startsWith('./dist/') && !path.includes('/browser/')))
      expect(sources).toContain(target.replace('./dist/', '').replace(/(\.d\.ts|\.js)$/, '.ts'))
})
