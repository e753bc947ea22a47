// The packages of the folder `packages`, packed and installed in a scratch project, as a foreign program has them.
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { buildPackage, pack } from '../../scripts/packages.mjs'
import { ROOT } from './till-process.js'

const run = promisify(execFile)
const INSTALL_MS = 280_000
const PROGRAM_MS = 90_000

export type PackageName = 'grin' | 'client'

interface CompileOptions {
  /** Packages of types; none by default. */
  readonly types?: readonly string[]
  /** Default: es2023 and the DOM. */
  readonly lib?: string
}

export interface ScratchProject {
  readonly folder: string
  /** Where npm put a package. */
  package(name: PackageName): string
  /** The .tgz file that npm would publish. */
  archive(name: PackageName): string
  /** Runs a program of the project, or copies one into it and runs that; answers what it printed. */
  runProgram(path: string, ...args: readonly string[]): Promise<string>
  /** What the compiler of TypeScript says about these files of the project, as strict as it can be; empty when it is content. */
  compile(files: readonly string[], options?: CompileOptions): Promise<string>
  remove(): void
}

export interface Installation {
  readonly folder: string
  remove(): void
}

/** Builds, packs and installs. Needs a registry for what the packages depend on. */
export async function makeInstallation(names: readonly PackageName[]): Promise<Installation> {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-scratch-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    const archives = names.map((name) =>
      pack(buildPackage(name, join(folder, 'staged', name)), join(folder, 'archives', name)),
    )
    rmSync(join(folder, 'staged'), { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }\n')
    const options = ['--no-audit', '--no-fund', '--engine-strict', '--ignore-scripts']
    await run('npm', ['install', ...options, ...archives], { cwd: folder, timeout: INSTALL_MS })
  } catch (error) {
    remove()
    throw error
  }
  return { folder, remove }
}

/** The project of an installation. */
export function openProject({ folder, remove }: Installation): ScratchProject {
  return {
    folder,
    package: (name) => join(folder, 'node_modules/@grinpay', name),
    archive(name) {
      const place = join(folder, 'archives', name)
      return join(place, readdirSync(place)[0] ?? '')
    },
    remove,
    async runProgram(path, ...args) {
      const isInside = path.startsWith(folder)
      const program = isInside ? path : join(folder, basename(path))
      if (!isInside) cpSync(path, program)
      return (await run(process.execPath, [program, ...args], { cwd: folder, timeout: PROGRAM_MS })).stdout
    },
    async compile(files, { types = [], lib = 'es2023,dom' } = {}) {
      const strict = [
        '--strict',
        '--exactOptionalPropertyTypes',
        '--noUncheckedIndexedAccess',
        '--skipLibCheck',
        'false',
      ]
      const target = ['--noEmit', '--module', 'nodenext', '--target', 'es2023', '--lib', lib]
      const tsc = join(ROOT, 'node_modules/.bin/tsc')
      return run(tsc, [...strict, ...target, '--types', types.join(','), ...files], { cwd: folder }).then(
        () => '',
        (failed: { stdout: string; stderr: string }) => `${failed.stdout}${failed.stderr}`,
      )
    },
  }
}
