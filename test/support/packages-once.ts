// The packages are built, packed and installed once for all files of their suite.
import type { TestProject } from 'vitest/node'
import { makeInstallation } from './packed-packages.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of `makeInstallation`. */
    installation: string
  }
}

export default async function setup(project: TestProject): Promise<() => void> {
  const { folder, remove } = await makeInstallation(['grin', 'client'])
  project.provide('installation', folder)
  return remove
}
