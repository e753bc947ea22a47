// The library under test: packed, and installed in a project of its own.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { makeInstallation, openProject } from '../../support/packed-packages.js'

export type Library = typeof import('../../../src/library/index.js')

export interface InstalledLibrary {
  readonly library: Library
  remove(): void
}

/** Loads what the package exports. Its folder can go as soon as nothing more is loaded. */
export async function installLibrary(): Promise<InstalledLibrary> {
  const project = openProject(await makeInstallation(['grin']))
  const folder = project.package('grin')
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const library: Library = await import(pathToFileURL(join(folder, exports['.'].default)).href)
  return { library, remove: project.remove }
}
