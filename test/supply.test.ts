// What installing this package runs on somebody's machine: nothing.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface Locked {
  readonly dev?: boolean
  readonly hasInstallScript?: boolean
  readonly integrity?: string
  readonly resolved?: string
}

const json = (name: string) => JSON.parse(readFileSync(name, 'utf8'))
const packages: Readonly<Record<string, Locked>> = json('package-lock.json').packages
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
