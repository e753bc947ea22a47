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

test('nothing it needs at run time has one either', () => {
  expect(installed.length).toBeGreaterThan(20)
  expect(installed.filter(([, { hasInstallScript }]) => hasInstallScript).map(([name]) => name)).toEqual([])
})

test('every package it needs is pinned by its content', () => {
  expect(installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([name]) => name)).toEqual([])
})

test('versions of direct dependencies are exact', () => {
  const { dependencies } = json('package.json')
  expect(Object.entries<string>(dependencies).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([])
})
