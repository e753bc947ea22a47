// Who else can read the file that a secret lies in: worth a word, never a reason to stop.
import type { Environment } from './env.js'
import type { SettingNotice } from './problem.js'

/** A container's manager decides the mode there, and no other user is inside. */
const MANAGED = '/run/secrets/'

/** What to say about a secret that was found at `origin`; empty when only its owner reads it. */
export function openTo(name: string, origin: string, environment: Environment): readonly SettingNotice[] {
  const { envFile, credentialsDirectory, modeOf } = environment
  if (origin === 'environment' || origin.startsWith(MANAGED) || isBelow(origin, credentialsDirectory)) return []
  const mode = modeOf?.(origin)
  if (mode === undefined) return []
  // The env file may be its group's: setup makes it so.
  if (origin === envFile)
    return mode & 0o007
      ? [
          {
            setting: name,
            text: `${name} stands in ${origin}, which everybody on this machine can read`,
            remedy: `chmod 640 ${origin}`,
          },
        ]
      : []
  if ((mode & 0o077) === 0) return []
  const others = mode & 0o007 ? 'everybody on this machine' : 'its group'
  const text = `${name} is in ${origin}, which ${others} can read (mode ${octal(mode)})`
  return [{ setting: name, text, remedy: `chmod 600 ${origin}` }]
}

const isBelow = (path: string, folder: string | undefined): boolean =>
  folder !== undefined && path.startsWith(`${folder}/`)

const octal = (mode: number): string => mode.toString(8).padStart(4, '0')
