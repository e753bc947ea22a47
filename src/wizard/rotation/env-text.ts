// One setting of an env file becomes another, and every other byte of the file stays.
import { envLine } from '../env-file.js'

const assigned = (line: string): string | undefined => /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=/.exec(line)?.[1]

/** The text with the lines of `names` taken out, and `name=value` where the first of them stood. Throws VALUE_UNSAFE. */
export function replaceSetting(text: string, names: readonly string[], name: string, value: string): string {
  const lines = text.split('\n')
  const isOld = (line: string): boolean => names.includes(assigned(line) ?? '')
  const first = lines.findIndex(isOld)
  const [before, after] = first < 0 ? [lines, []] : [lines.slice(0, first), lines.slice(first)]
  return [...before, envLine(name, value), ...after.filter((line) => !isOld(line))].join('\n')
}
