// A scratch project for a test file: a copy of what its suite has installed once (`packages-once.ts`), or an installation of its own.
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import {
  type Installation,
  makeInstallation,
  openProject,
  type PackageName,
  type ScratchProject,
} from './packed-packages.js'

function copyOf(from: string): Installation {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-scratch-'))
  cpSync(from, folder, { recursive: true, verbatimSymlinks: true })
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** A project of its own with these packages, perhaps with the other one too. */
export async function installPackages(names: readonly PackageName[]): Promise<ScratchProject> {
  const common = inject('installation') as string | undefined
  return openProject(common === undefined ? await makeInstallation(names) : copyOf(common))
}
