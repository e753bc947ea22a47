// What npm would publish, unpacked beside the dependencies of this repository: the files of the package and no others.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from './till-process.js'

const run = promisify(execFile)

export interface PackedCli {
  /** To be run with node. */
  readonly entry: string
  remove(): void
}

export async function packCli(): Promise<PackedCli> {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-packed-cli-'))
  const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const { stdout } = await run('npm', pack, { cwd: ROOT })
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }]
  await run('tar', ['-xzf', join(folder, filename), '-C', folder])
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'package/node_modules'))
  return { entry: join(folder, 'package/bin/run.js'), remove: () => rmSync(folder, { recursive: true, force: true }) }
}
