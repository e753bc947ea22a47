// A list of what a package is made of when it runs (CycloneDX), in the versions of package-lock.json. It goes with a release; it is not committed.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { shrinkwrapOf } from './shrinkwrap.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const jsonOf = (path) => JSON.parse(readFileSync(path, 'utf8'))

/** The part of a manifest that decides what is installed with it. */
const runtimeOf = ({ name, version, description, license, dependencies, optionalDependencies }) => ({
  ...{ name, version, description, license, dependencies, optionalDependencies },
})

/**
 * The CycloneDX document of the package in `folder`, as text. Throws when package-lock.json lacks something that the package needs, or has
 * another version than its range.
 * @param {string} folder that of the repository, or one below `packages`
 * @returns {string}
 */
export function sbomOf(folder) {
  const manifest = runtimeOf(jsonOf(join(folder, 'package.json')))
  const { name, version, packages } = { ...jsonOf(join(root, 'package-lock.json')), ...manifest }
  const lock = { name, version, lockfileVersion: 3, requires: true, packages: { ...packages, '': manifest } }
  const scratch = mkdtempSync(join(tmpdir(), 'grinpay-sbom-'))
  try {
    writeFileSync(join(scratch, 'package.json'), JSON.stringify(manifest))
    writeFileSync(join(scratch, 'package-lock.json'), JSON.stringify(shrinkwrapOf(lock)))
    const type = manifest.name === 'grinpay' ? 'application' : 'library'
    const options = ['--package-lock-only', '--omit', 'dev', '--sbom-format', 'cyclonedx', '--sbom-type', type]
    const shell = process.platform === 'win32' // npm is a .cmd file there
    const document = JSON.parse(execFileSync('npm', ['sbom', ...options], { cwd: scratch, encoding: 'utf8', shell }))
    document.metadata.component.name = manifest.name // npm takes the name of the folder
    return `${JSON.stringify(document, null, 2)}\n`
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
