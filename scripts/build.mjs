// Compiles src to dist and rewrites oclif.manifest.json. `--if-needed` does only what changed since the last time; `--types` also writes the
// declarations of `grinpay/client`, for packing. Types are checked by `npm run check`: the checker needs more memory than a small server has.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const STAMP = join(root, 'dist', '.stamp.json')

/** Part of the packages only (scripts/packages.mjs). */
const isOfPackages = (file) => /^src\/(library|wallet)\//.test(file)

/** What the manifest is made of. */
const isCommandSource = (file) => /^src\/(commands|cli|wizard)\//.test(file) || file === 'package.json'

function run(tool, args) {
  const script = join(root, 'node_modules', '.bin', tool)
  const { status, error, stdout, stderr } = spawnSync(script, args, { cwd: root, encoding: 'utf8' })
  if (status === 0) return
  process.stderr.write(`${stdout ?? ''}${stderr ?? ''}${error ? `${error.message}\n` : ''}`)
  process.stderr.write(`build: ${tool} ${args.join(' ')} failed\n`)
  process.exit(1)
}

function filesUnder(folder) {
  if (!existsSync(join(root, folder))) return []
  const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name).slice(root.length))
}

/** Content, not times: a fresh checkout and a touched file are not a change. */
function digestOf(files) {
  const hash = createHash('sha256')
  for (const file of files.sort()) hash.update(`${file}\0`).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

const sourceFiles = () => filesUnder('src').filter((file) => file.endsWith('.ts') && !isOfPackages(file))

function wanted() {
  const sources = [...sourceFiles(), 'scripts/build.mjs', 'tsconfig.json', 'package.json']
  return { code: digestOf(sources), commands: digestOf(sources.filter(isCommandSource)) }
}

function done() {
  try {
    return JSON.parse(readFileSync(STAMP, 'utf8'))
  } catch {
    return {} // never built, or cleaned by hand
  }
}

/** In the order of the names: the tool's own order is that of the disk, and the file is committed. */
function writeManifest() {
  run('oclif', ['manifest'])
  const path = join(root, 'oclif.manifest.json')
  const manifest = JSON.parse(readFileSync(path, 'utf8'))
  const commands = Object.fromEntries(Object.entries(manifest.commands).sort(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(path, `${JSON.stringify({ ...manifest, commands }, null, 2)}\n`)
}

/** One file of JavaScript for each source, which is what TypeScript's `isolatedModules` promises to allow. */
function compile() {
  buildSync({
    absWorkingDir: root,
    entryPoints: sourceFiles(),
    outdir: 'dist',
    outbase: 'src',
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    charset: 'utf8',
    sourcemap: true,
    sourcesContent: false,
  })
}

const stamp = (built) => writeFileSync(STAMP, `${JSON.stringify(built)}\n`)

/** The only declarations that the package exports. */
function declareClient() {
  const before = done()
  if (before.types === before.code) return
  for (const file of filesUnder('dist').filter((file) => file.endsWith('.d.ts'))) rmSync(join(root, file))
  run('tsc', ['-p', 'tsconfig.client.json', '--singleThreaded'])
  stamp({ ...before, types: before.code })
}

/** A command whose source is gone must not stay behind in dist. */
function removeOrphans() {
  for (const file of filesUnder('dist')) {
    const source = file.replace(/^dist\//, 'src/').replace(/\.(d\.ts|js|js\.map|d\.ts\.map)$/, '.ts')
    if (source.endsWith('.ts') && !existsSync(join(root, source))) rmSync(join(root, file))
  }
}

/** Whether `dist` is what the sources say. */
export const isCurrent = () => wanted().code === done().code

/** Answers whether anything was built. */
export function build({ ifNeeded = false } = {}) {
  const [now, before] = [wanted(), ifNeeded ? done() : {}]
  if (now.code === before.code && existsSync(join(root, 'oclif.manifest.json'))) return false
  compile()
  removeOrphans()
  mkdirSync(join(root, 'dist'), { recursive: true })
  if (now.commands !== before.commands || !existsSync(join(root, 'oclif.manifest.json'))) writeManifest()
  stamp({ ...now, types: before.types })
  return true
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const built = build({ ifNeeded: process.argv.includes('--if-needed') })
  if (built) process.stderr.write(`build: dist and oclif.manifest.json are up to date\n`)
  if (process.argv.includes('--types')) declareClient()
}
