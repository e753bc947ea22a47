// npm run simulate: the simulation and the product in one file, which runs a third faster than modules that are compiled as they are loaded.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Two folders below the root, as the sources that look for `templates` are. */
const BUNDLE = join(root, 'build', 'simulation', 'run.mjs')

export async function bundleSimulation() {
  await build({
    absWorkingDir: root,
    entryPoints: ['test/simulation/run.ts'],
    outfile: BUNDLE,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    charset: 'utf8',
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'error',
  })
  return BUNDLE
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const bundle = await bundleSimulation()
  const { status } = spawnSync(process.execPath, ['--enable-source-maps', bundle, ...process.argv.slice(2)], {
    cwd: root,
    stdio: 'inherit',
  })
  process.exitCode = status ?? 1
}
