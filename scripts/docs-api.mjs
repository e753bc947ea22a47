// Writes the API reference of the packages from their types: `artifacts/api/grin` and `artifacts/api/client`. Fails if an export has no
// docstring. typedoc needs the compiler in JavaScript, which TypeScript 7 has not: it reads the built declarations, with a TypeScript of
// its own (`scripts/api-reference`).
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildPackage } from './packages.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const tools = join(root, 'scripts/api-reference')

function run(command, args) {
  const options = { cwd: tools, stdio: ['ignore', 'inherit', 'inherit'], shell: process.platform === 'win32' }
  const { status, error } = spawnSync(command, args, options)
  if (status === 0) return
  process.stderr.write(`docs-api: ${command} ${args.join(' ')} failed${error ? `: ${error.message}` : ''}\n`)
  process.exit(1)
}

/** The declarations of a package's entries, without those that its first entry offers as namespaces. */
function entriesOf(folder) {
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const declarations = (target) =>
    typeof target === 'string' ? [target] : Object.values(target).flatMap((inner) => declarations(inner))
  const all = Object.values(exports).flatMap(declarations)
  const types = [...new Set(all.filter((file) => file.endsWith('.d.ts')))]
  const main = readFileSync(join(folder, types[0]), 'utf8')
  const isNamespace = (file) => main.includes(` from './${file.split('/').at(-1).replace('.d.ts', '.js')}'`)
  return types.filter((file, i) => i === 0 || !isNamespace(file)).map((file) => join(folder, file))
}

const to = process.argv[2] ?? join(root, 'artifacts/api')
if (!existsSync(join(tools, 'node_modules/typedoc'))) run('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'])
for (const name of ['grin', 'client']) {
  const folder = buildPackage(name)
  const files = ['--name', `@grinpay/${name}`, '--readme', join(folder, 'README.md'), '--out', join(to, name)]
  const entries = entriesOf(folder).flatMap((file) => ['--entryPoints', file])
  run(process.execPath, ['node_modules/typedoc/bin/typedoc', ...files, ...entries])
}
