// The package as an operator installs it: packed from a copy of the sources, with the file of its versions, into an empty prefix.
import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { cleanEnvironment, ROOT } from './till-process.js'

const run = promisify(execFile)
const INSTALL_MS = 280_000
const COMMAND_MS = 90_000
/** Neither what is made from the sources nor what belongs to another checkout. */
const NOT_COPIED = new Set(['node_modules', 'dist', '.git', 'npm-shrinkwrap.json'])

export interface Shrinkwrapped {
  readonly version: string
  readonly resolved?: string
  readonly integrity?: string
  readonly dev?: boolean
  readonly optional?: boolean
}

export interface InstalledPackage {
  /** Where npm put it. */
  readonly folder: string
  /** What npm said while it installed. */
  readonly installing: string
  /** Runs the installed command. Rejects when it ends with another code than 0. */
  grinpay(...args: readonly string[]): Promise<{ readonly stdout: string; readonly stderr: string }>
  /** Runs this code with the same Node, as a module beside the package's own. */
  evaluate(code: string): Promise<string>
  remove(): void
}

export interface PackedPackage {
  /** The archive that npm would publish. */
  readonly archive: string
  remove(): void
}

/** `npm` as this Node runs it. */
function npmOf(node: string) {
  const env = { ...cleanEnvironment(), PATH: `${dirname(node)}${delimiter}${process.env.PATH}` }
  const npm = (cwd: string, ...args: readonly string[]) => run('npm', args, { cwd, env, timeout: INSTALL_MS })
  return { env, npm }
}

/** Builds and packs a copy of the sources with this Node, or the one of the tests. */
export function packPackage(node: string = process.execPath): Promise<PackedPackage> {
  return inFolder('grinpay-packed-', async (folder, remove) => {
    const sources = join(folder, 'sources')
    cpSync(ROOT, sources, { recursive: true, filter: (path) => !NOT_COPIED.has(relative(ROOT, path)) })
    symlinkSync(join(ROOT, 'node_modules'), join(sources, 'node_modules'))
    const { stdout } = await npmOf(node).npm(sources, 'pack', '--json', '--pack-destination', folder)
    const [{ filename }] = JSON.parse(stdout.slice(stdout.indexOf('[\n'))) as [{ filename: string }]
    if (existsSync(join(sources, 'npm-shrinkwrap.json'))) throw new Error('npm pack left npm-shrinkwrap.json behind')
    return { archive: join(folder, filename), remove }
  })
}

/** Installs that archive with this Node, or the one of the tests. */
export function installPackage(archive: string, node: string = process.execPath): Promise<InstalledPackage> {
  return inFolder('grinpay-installed-', async (prefix, remove) => {
    const { env, npm } = npmOf(node)
    const options = ['--global', '--prefix', prefix, '--engine-strict', '--no-audit', '--no-fund']
    const installed = await npm(prefix, 'install', ...options, archive)
    const folder = join(prefix, 'lib/node_modules/grinpay')
    return {
      folder,
      installing: `${installed.stdout}${installed.stderr}`,
      grinpay: (...args) => run(join(prefix, 'bin/grinpay'), args, { env, cwd: prefix, timeout: COMMAND_MS }),
      evaluate: async (code) =>
        (await run(node, ['--input-type=module', '--eval', code], { env, cwd: folder, timeout: COMMAND_MS })).stdout,
      remove,
    }
  })
}

/** `work` gets a new folder, which goes when it throws, or when it is removed. */
async function inFolder<T>(name: string, work: (folder: string, remove: () => void) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), name))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    return await work(folder, remove)
  } catch (error) {
    remove()
    throw error
  }
}

/** What npm-shrinkwrap.json of an installed package says, by place. */
export const shrinkwrapIn = (folder: string): Readonly<Record<string, Shrinkwrapped>> =>
  JSON.parse(readFileSync(join(folder, 'npm-shrinkwrap.json'), 'utf8')).packages

/** The version of every package below `folder`, by place, as in a lock file. */
export function versionsIn(folder: string, place = ''): Readonly<Record<string, string>> {
  const modules = join(folder, place, 'node_modules')
  const found: Record<string, string> = {}
  if (!existsSync(modules)) return found
  const names = readdirSync(modules).filter((name) => !name.startsWith('.'))
  const all = names.flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(modules, name)).map((own) => `${name}/${own}`) : [name],
  )
  for (const name of all) {
    const at = `${place === '' ? '' : `${place}/`}node_modules/${name}`
    found[at] = JSON.parse(readFileSync(join(folder, at, 'package.json'), 'utf8')).version
    Object.assign(found, versionsIn(folder, at))
  }
  return found
}
