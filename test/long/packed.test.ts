// What npm would publish, installed as an operator does it: an empty prefix, strict engines, no scripts, no compiler.
import { execFile } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { GENERATED_PAGES } from '../support/generated-pages.js'
import {
  type InstalledPackage,
  installPackage,
  packPackage,
  shrinkwrapIn,
  versionsIn,
} from '../support/installed-package.js'

const INSTALL_MS = 300_000

let installed: InstalledPackage
beforeAll(async () => {
  const packed = await packPackage()
  installed = await installPackage(packed.archive).finally(packed.remove)
}, INSTALL_MS)
afterAll(() => installed?.remove())

test('it installs without a word about engines, and about no script but the one that it can do without', () => {
  const lines = installed.installing.split('\n')
  const scripted = lines.flatMap((line) => /install-scripts +(\S+@[\d.]+) \(/.exec(line)?.[1] ?? [])
  expect(scripted.filter((name) => name !== 'secp256k1@5.0.2')).toEqual([])
  expect(lines.filter((line) => /EBADENGINE|gyp ERR|deprecated/i.test(line))).toEqual([])
})

describe('its npm-shrinkwrap.json', () => {
  const packages = () => Object.entries(shrinkwrapIn(installed.folder)).filter(([place]) => place !== '')

  // npm heeds the file of a package that comes from a registry, and of a project; not of an archive on the disk, which takes what is newest.
  test('is complete: a project with it gets every package in exactly that version, and no other', {
    timeout: 300_000,
  }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'grinpay-pinned-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const {
      devDependencies: _,
      scripts: __,
      ...manifest
    } = JSON.parse(readFileSync(join(installed.folder, 'package.json'), 'utf8'))
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
    copyFileSync(join(installed.folder, 'npm-shrinkwrap.json'), join(folder, 'npm-shrinkwrap.json'))
    await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: folder,
      timeout: 280_000,
    })
    const versions = versionsIn(folder)
    const pinned = Object.fromEntries(packages().map(([place, { version }]) => [place, version]))
    // Of other platforms, or of what npm may leave out.
    const absent = packages().filter(([place, { optional }]) => optional && !(place in versions))
    for (const [place] of absent) delete pinned[place]
    expect(Object.keys(pinned).length).toBeGreaterThan(100)
    expect(versions).toEqual(pinned)
  })

  test('pins content, and names neither tools of development nor where packages were fetched from', () => {
    expect(packages().filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([])
    expect(packages().filter(([, { dev, resolved }]) => dev || resolved !== undefined)).toEqual([])
    const names = packages().map(([place]) => place)
    expect(names).not.toContain('node_modules/vitest')
    expect(names).not.toContain('node_modules/typescript')
  })

  test('has the database of every platform', () => {
    const platforms = packages().filter(([place]) => place.startsWith('node_modules/@libsql/'))
    expect(platforms.map(([place]) => place.split('/').at(-1))).toEqual(
      expect.arrayContaining(['darwin-arm64', 'darwin-x64', 'linux-arm64-gnu', 'linux-arm64-musl', 'linux-x64-gnu']),
    )
  })
})

test('it has the pages that are generated, as the source makes them', () => {
  const text = (name: string) => readFileSync(join(installed.folder, 'docs', name), 'utf8')
  expect(Object.fromEntries(Object.keys(GENERATED_PAGES).map((name) => [name, text(name)]))).toEqual(GENERATED_PAGES)
})

test('it knows its version and its commands', async () => {
  expect((await installed.grinpay('--version')).stdout).toMatch(/^grinpay\/\d+\.\d+\.\d+ /)
  expect((await installed.grinpay('--help')).stdout).toMatch(/sandbox/)
})

test('its sandbox confirms an invoice', async () => {
  const { stdout } = await installed.grinpay('sandbox', '--once', '--port', '0', '--node-port', '0')
  expect(stdout).toMatch(/confirmed/i)
})
