// Where a unit may write, and as whom.
import { isAbsolute, join, relative } from 'node:path'

const STATE = '/var/lib'

/** With `states` systemd keeps folders below /var/lib for a user of the moment; without, `folders` belong to a user who has to be made. */
export interface Home {
  readonly user: string
  /** Names below /var/lib. */
  readonly states: readonly string[]
  /** Absolute. */
  readonly folders: readonly string[]
}

/** `folders`: what the daemon writes to; relative ones lie in the unit's own folder. */
export function homeOf(user: string, folders: readonly string[], ownFolder: string): Home {
  const absolute = folders.map((folder) => (isAbsolute(folder) ? folder : join(ownFolder, folder)))
  const outermost = [...new Set(absolute)].filter((folder, _, all) => !all.some((other) => isInside(folder, other)))
  const isKept = outermost.every((folder) => isInside(folder, STATE))
  return { user, states: isKept ? outermost.map((folder) => relative(STATE, folder)) : [], folders: outermost }
}

const isInside = (folder: string, other: string): boolean => folder.startsWith(`${other}/`)

/**
 * How to make the user of the folders, and those that are missing, once; undefined when systemd makes all of that at each start. `others`:
 * what further units of the same user write to, whose folders systemd does not make either.
 */
export function userCommand({ user, states, folders }: Home, others: readonly string[] = []): string | undefined {
  if (states.length > 0) return undefined
  const all = [...folders, ...others].join(' ')
  return `adduser --system --group --no-create-home ${user} && mkdir -p -m 0700 ${all} && chown -R ${user}: ${all}`
}

/** The folder as a unit names it. */
export const inUnit = ({ states }: Home, folder: string): string =>
  states.length > 0 ? `%S/${relative(STATE, folder)}` : folder
