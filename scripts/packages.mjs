// Builds the packages of the folder `packages` from the sources of `src`. `--pack` makes the three archives that npm would publish in
// `artifacts`, those of the packages from the folders `artifacts/packages/NAME`, which have their pages too.
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { bundleInto, PROGRAMS, sizeOf } from './bundle.mjs'
import { writePages } from './package-pages.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const NAMES = ['grin', 'client']
/** Files of `dist/browser` that hold all they need, by the compiled file that each begins with. */
const BUNDLES = { grin: { grin: 'library/browser.js', 'prove.worker': 'library/prover/prove.worker.js' } }
/** What a package has besides what is compiled. */
const COPIED = ['package.json', 'README.md', 'CHANGELOG.md']
/** What it has from the repository. */
const SHARED = ['LICENSE', 'SECURITY.md']

function run(command, args, cwd = root) {
  const shell = process.platform === 'win32' // npm is a .cmd file there
  const { status, error, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', shell })
  if (status === 0) return stdout
  process.stderr.write(`${stdout ?? ''}${stderr ?? ''}${error ? `${error.message}\n` : ''}`)
  process.stderr.write(`packages: ${command} ${args.join(' ')} failed\n`)
  return process.exit(1)
}

const tool = (name) => join(root, 'node_modules', '.bin', name)

/** Every file that `exports` names, below its conditions. */
const targetsIn = (value) => (typeof value === 'string' ? [value] : Object.values(value).flatMap(targetsIn))

const IMPORTS =
  /(?:from|import|import\()\s*'(\.{1,2}\/[^']+)'|new URL\('(\.{1,2}\/[^']+)', import\.meta\.url\)|startWorker\(import\.meta\.url, '(\w+)'\)/g

/** What a compiled file or declaration needs of its own package. */
function neighboursOf(file) {
  const all = [...readFileSync(file, 'utf8').matchAll(IMPORTS)].map(
    ([, imported, url, worker]) => imported ?? url ?? `./${worker}.worker.js`,
  )
  const isTypes = file.endsWith('.d.ts')
  return all.map((target) => join(dirname(file), isTypes ? target.replace(/\.js$/, '.d.ts') : target))
}

/** Removes what no export reaches: compiled for the types of other files, and of no use to a program that installs the package. */
function prune(folder, exported) {
  const isBundled = (path) => path.startsWith(join(folder, 'dist/browser/'))
  const needed = new Set(exported.map((target) => join(folder, target)))
  for (const file of needed) {
    if (!existsSync(file)) throw new Error(`${relative(folder, file)} is exported or imported, but was not built`)
    if (/\.(js|d\.ts)$/.test(file) && !isBundled(file))
      for (const neighbour of neighboursOf(file)) needed.add(neighbour)
  }
  const built = readdirSync(join(folder, 'dist'), { recursive: true, withFileTypes: true })
  const places = built.map((entry) => ({ path: join(entry.parentPath, entry.name), isFile: entry.isFile() }))
  for (const { path } of places.filter(({ path, isFile }) => isFile && !needed.has(path) && !isBundled(path)))
    rmSync(path)
  for (const { path } of places.filter(({ isFile }) => !isFile).reverse())
    if (readdirSync(path).length === 0) rmdirSync(path)
}

/** Builds one package into a folder, by default its own; answers the folder. Another folder gets what is published: the pages too. */
export function buildPackage(name, folder = join(root, 'packages', name)) {
  const own = join(root, 'packages', name)
  mkdirSync(folder, { recursive: true })
  rmSync(join(folder, 'dist'), { recursive: true, force: true })
  run(tool('tsc'), ['-p', join(own, 'tsconfig.json'), '--outDir', join(folder, 'dist')])
  if (folder !== own) for (const file of COPIED) copyFileSync(join(own, file), join(folder, file))
  for (const file of SHARED) copyFileSync(join(root, file), join(folder, file))
  const entries = Object.entries(BUNDLES[name] ?? {}).map(([file, from]) => [file, join(folder, 'dist', from)])
  if (entries.length > 0) bundleInto(join(folder, 'dist/browser'), Object.fromEntries(entries))
  const { exports } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8'))
  prune(folder, targetsIn(exports))
  if (folder !== own) {
    run(process.execPath, [join(root, 'scripts/docs.mjs')])
    writePages(root, name, folder)
  }
  return folder
}

/** Packs a folder into `to`; answers the archive. */
export function pack(folder, to, options = []) {
  mkdirSync(to, { recursive: true })
  const stdout = run('npm', ['pack', '--json', '--pack-destination', to, ...options], folder)
  const [{ filename }] = JSON.parse(stdout.slice(stdout.search(/^\[/m)))
  return join(to, filename)
}

const kB = (bytes) => `${(bytes / 1000).toFixed(1).padStart(7)} kB`

function printSizes(folder) {
  process.stdout.write('\nPrograms of browsers with @grinpay/grin, in one file: minified, gzipped\n')
  for (const [name, program] of Object.entries(PROGRAMS)) {
    const { bytes, gzipped } = sizeOf(program, folder)
    process.stdout.write(`${name.padEnd(34)}${kB(bytes)}${kB(gzipped)}\n`)
  }
  for (const file of ['grin.js', 'prove.worker.js']) {
    const content = readFileSync(join(folder, 'dist/browser', file))
    const gzipped = gzipSync(content, { level: 9 }).length
    process.stdout.write(`${`browser/${file}`.padEnd(34)}${kB(content.length)}${kB(gzipped)}\n`)
  }
}

/** Packs all three into `artifacts`, which is emptied first; answers each folder with its archive, the till first. */
export function packAll() {
  const to = join(root, 'artifacts')
  rmSync(to, { recursive: true, force: true })
  const till = { folder: root, archive: pack(root, to) }
  const others = NAMES.map((name) => buildPackage(name, join(to, 'packages', name))).map((folder) => ({
    folder,
    archive: pack(folder, to),
  }))
  for (const { archive } of [till, ...others])
    process.stdout.write(`${relative(root, archive)}  ${Math.round(statSync(archive).size / 1000)} kB\n`)
  printSizes(join(to, 'packages/grin'))
  return [till, ...others]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--pack')) packAll()
  else for (const name of NAMES) buildPackage(name)
}
