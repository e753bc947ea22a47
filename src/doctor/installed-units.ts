// Units as systemd finds them on this machine.
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Unit {
  readonly path: string
  /** With its drop-ins behind it. */
  readonly text: string
}

/** With the drop-ins of all folders; undefined: no folder has it. */
export function findUnit(folders: readonly string[], name: string): Unit | undefined {
  const folder = folders.find((each) => existsSync(join(each, name)))
  if (folder === undefined) return undefined
  const path = join(folder, name)
  const dropIns = folders.flatMap((each) => filesIn(join(each, `${name}.d`))).filter((file) => file.endsWith('.conf'))
  return { path, text: [path, ...dropIns].map(textOf).join('\n') }
}

const filesIn = (folder: string): readonly string[] =>
  existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // unreadable for this user: its directives count as missing
  }
}

/** The last word of a unit about it; empty when it says none. */
export const directiveOf = (text: string, name: string): string =>
  text
    .split('\n')
    .filter((line) => line.startsWith(`${name}=`))
    .at(-1)
    ?.slice(name.length + 1)
    .trim() ?? ''

/** Also a link that leads nowhere. */
export const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined
