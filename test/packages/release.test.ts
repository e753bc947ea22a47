// What a release does to the files of a checkout, in a copy: nothing is published and nothing packed.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { raiseVersions, tidyChangelog } from '../../scripts/release-version.mjs'
import { sbomOf } from '../../scripts/sbom.mjs'

interface Component {
  readonly name: string
  readonly version: string
}

const MANIFESTS = ['package.json', 'packages/grin/package.json', 'packages/client/package.json']
const CHANGELOGS = ['CHANGELOG.md', 'packages/grin/CHANGELOG.md', 'packages/client/CHANGELOG.md']
const CONSTANTS = ['src/library/version.ts', 'src/client/shop/version.ts']
const OTHERS = ['package-lock.json', 'lerna.json', 'README.md', 'docs/quickstart.md', '.changeset/config.json']

describe('versions', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'grinpay-versions-'))
    for (const path of [...MANIFESTS, ...CHANGELOGS, ...CONSTANTS, ...OTHERS]) {
      mkdirSync(join(folder, dirname(path)), { recursive: true })
      cpSync(path, join(folder, path))
    }
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const textOf = (path: string) => readFileSync(join(folder, path), 'utf8')
  const versions = () => MANIFESTS.map((path) => JSON.parse(textOf(path)).version)

  test('a change of one package raises all three, their changelogs and the lock file', () => {
    const [before] = versions()
    writeFileSync(join(folder, '.changeset/seldom-used-name.md'), "---\n'@grinpay/grin': minor\n---\n\nReads minds.\n")
    const { after } = raiseVersions(folder)
    expect(versions()).toEqual([after, after, after])
    expect(after).not.toBe(before)
    for (const path of CONSTANTS) expect(textOf(path)).toContain(`export const version = '${after}'\n`)
    expect(JSON.parse(textOf('package-lock.json'))).toMatchObject({
      version: after,
      packages: { '': { version: after } },
    })
    const [till, grin, client] = CHANGELOGS.map(textOf)
    expect(grin).toMatch(
      new RegExp(`^# Changelog\\n\\nAll notable .*\\n\\n## ${after}\\n\\n### Minor Changes\\n\\n- Reads minds`),
    )
    for (const text of [till, client])
      expect(text).toMatch(new RegExp(`^# Changelog\\n\\nAll notable .*\\n\\n## ${after}\\n\\n- No changes of its own`))
    expect(textOf('README.md')).toContain(`grinpay-${after}.tgz`)
  })

  test('without a change nothing is written', () => {
    const before = [...MANIFESTS, ...CHANGELOGS].map(textOf)
    const { before: old, after } = raiseVersions(folder)
    expect(after).toBe(old)
    expect([...MANIFESTS, ...CHANGELOGS].map(textOf)).toEqual(before)
  })
})

test('a changelog that is in order stays as it is', () => {
  for (const path of CHANGELOGS) expect(tidyChangelog(readFileSync(path, 'utf8'))).toBe(readFileSync(path, 'utf8'))
})

describe('the list of what a package is made of', () => {
  const componentsOf = (folder: string): readonly Component[] => JSON.parse(sbomOf(folder)).components

  test('of @grinpay/grin it has its dependencies, what those need, and nothing else', () => {
    const { dependencies } = JSON.parse(readFileSync('packages/grin/package.json', 'utf8'))
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
    // By another way than the script: every name that is reached, whatever its place.
    const reached = new Set<string>()
    const open = Object.keys(dependencies)
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      if (reached.has(name)) continue
      reached.add(name)
      const places = Object.entries<{ dependencies?: object }>(packages).filter(([place]) =>
        place.endsWith(`node_modules/${name}`),
      )
      for (const [, entry] of places) open.push(...Object.keys(entry.dependencies ?? {}))
    }
    const components = componentsOf('packages/grin')
    expect(new Set(components.map(({ name }) => name))).toEqual(reached)
    for (const name of Object.keys(dependencies))
      expect(components).toContainEqual(
        expect.objectContaining({ name, version: packages[`node_modules/${name}`].version }),
      )
  })

  test('of @grinpay/client it is empty', () => {
    expect(componentsOf('packages/client')).toEqual([])
  })

  test('it names the package, and no address that packages are fetched from', () => {
    const { metadata, ...rest } = JSON.parse(sbomOf('packages/grin'))
    expect(metadata.component).toMatchObject({ name: '@grinpay/grin', type: 'library' })
    expect(JSON.stringify(rest)).not.toMatch(/"type":"distribution"/)
  })
})
