// The env file: read alike by systemd, dotenv, sh and Docker, in a stable order, with every setting in it.
import { type DaemonName, parseEnvText, settingGroups } from '../config/index.js'
import { valueUnsafe } from './errors.js'
import { renderTemplate } from './templates.js'

const BARE = /^[A-Za-z0-9_./:@,+%=-]*$/
/** A shell makes something of these, and not every reader agrees on them. */
const UNSAFE = /["'\\$`\p{Cc}]/u

/** Whether all readers agree on this text. */
export const isPortable = (value: string): boolean =>
  !UNSAFE.test(value) && value === value.trim() && parseEnvText(`X="${value}"`).remarks.length === 0

/** `NAME=value`, quoted only when needed. Throws VALUE_UNSAFE for what the readers would read differently. */
export function envLine(name: string, value: string): string {
  if (BARE.test(value)) return `${name}=${value}`
  if (!isPortable(value)) throw valueUnsafe(name)
  return `${name}="${value}"`
}

interface Line {
  readonly about: string
  readonly line: string
}

/** The whole file. Values of names that are no settings are kept at the end. */
export function renderEnvFile(values: ReadonlyMap<string, string>, daemon: DaemonName): string {
  const left = new Map(values)
  const groups = settingGroups(daemon).map(({ group, settings }) => ({
    group,
    lines: settings.map(({ name, about, initial = '', secret }): Line => {
      const set = secret ? [name, `${name}_FILE`] : [name]
      const lines = set.flatMap((key) => {
        const value = left.get(key)
        left.delete(key)
        return value === undefined ? [] : [envLine(key, value)]
      })
      return { about, line: lines.length > 0 ? lines.join('\n') : `#${name}=${initial}` }
    }),
  }))
  const others = [...left].map(([name, value]) => envLine(name, value))
  return renderTemplate(`env/${daemon}.env`, { groups, others })
}
