// What installing this package runs on a user's machine: nothing.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { namesNeededBy, placeOf, shrinkwrapOf } from '../scripts/shrinkwrap.mjs'

interface Locked {
  readonly version?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly os?: readonly string[]
  readonly dev?: boolean
  readonly hasInstallScript?: boolean
  readonly integrity?: string
  readonly resolved?: string
}

const json = (name: string) => JSON.parse(readFileSync(name, 'utf8'))
const lock = json('package-lock.json')
const packages: Readonly<Record<string, Locked>> = lock.packages
const installed = Object.entries(packages).filter(([name, { dev = false }]) => name !== '' && !dev)

test('the package has no script that npm runs by itself at installation', () => {
  const scripts = Object.keys(json('package.json').scripts)
  expect(scripts.filter((name) => /^(pre|post)?install$|^(pre|post)?prepare$/.test(name))).toEqual([])
})

// secp256k1 brings its binaries along; its step only looks whether one fits. Where the step may not run, fails or the package is absent,
// our own code checks signatures.
test('nothing it needs at run time has one either, but for one that it can do without', () => {
  expect(installed.length).toBeGreaterThan(20)
  const scripted = installed.filter(([, { hasInstallScript }]) => hasInstallScript).map(([name]) => name)
  expect(scripted).toEqual(['node_modules/secp256k1'])
  expect(Object.keys(json('package.json').optionalDependencies)).toEqual(['secp256k1'])
})

test('every package it needs is pinned by its content', () => {
  expect(installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([name]) => name)).toEqual([])
})

test('versions of direct dependencies are exact', () => {
  const { dependencies, optionalDependencies } = json('package.json')
  const direct = { ...dependencies, ...optionalDependencies }
  expect(Object.entries<string>(direct).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([])
})

// `npm ci` refuses a lock file that lacks a package of any platform, whichever platform it runs on.
describe('the lock file', () => {
  test('has every package that another one needs, on every platform', () => {
    const missing = Object.entries(packages).flatMap(([place, entry]) =>
      namesNeededBy(entry)
        .filter((name) => placeOf(packages, place, name) === undefined)
        .map((name) => `${name}, for ${place || 'this package'}`),
    )
    expect(missing).toEqual([])
  })

  test('has it in the version that is asked for, where only one will do', () => {
    const wrong = Object.entries(packages).flatMap(([place, { dependencies, optionalDependencies }]) =>
      Object.entries({ ...dependencies, ...optionalDependencies })
        .filter(([, wanted]) => /^\d+\.\d+\.\d+$/.test(wanted))
        .map(([name, wanted]) => ({ name, wanted, locked: packages[placeOf(packages, place, name) ?? '']?.version }))
        .filter(({ wanted, locked }) => wanted !== locked),
    )
    expect(wrong).toEqual([])
  })

  test('says of this package what package.json says', () => {
    const { dependencies, devDependencies, optionalDependencies } = json('package.json')
    expect(packages['']).toMatchObject({ dependencies, devDependencies, optionalDependencies })
  })
})

describe('npm-shrinkwrap.json, made of it', () => {
  const shrinkwrap: Readonly<Record<string, Locked>> = shrinkwrapOf(lock).packages

  test('holds what runs in production, in the same versions, for every platform', () => {
    const places = Object.keys(shrinkwrap).filter((place) => place !== '')
    expect(places).toContain('node_modules/fastify')
    expect(places.filter((place) => packages[place]?.dev)).toEqual([])
    for (const place of places)
      expect([place, shrinkwrap[place]?.version, shrinkwrap[place]?.integrity]).toEqual([
        place,
        packages[place]?.version,
        packages[place]?.integrity,
      ])
    expect(places.flatMap((place) => shrinkwrap[place]?.os ?? [])).toEqual(expect.arrayContaining(['darwin', 'win32']))
  })

  test('needs nothing that it does not hold', () => {
    const missing = Object.entries(shrinkwrap).flatMap(([place, entry]) =>
      namesNeededBy(entry).filter((name) => placeOf(shrinkwrap, place, name) === undefined),
    )
    expect(missing).toEqual([])
  })

  test('names no address that a package was fetched from, and no tool of development', () => {
    expect(JSON.stringify(shrinkwrap)).not.toMatch(/"resolved"|"dev"|devDependencies|node_modules\/vitest/)
  })
})
