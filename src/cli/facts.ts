// One thing, member by member: aligned for a terminal, tab separated for programs.
import { plainText } from '../lib/plain-text.js'
import { wrapText } from '../lib/wrap-text.js'
import { terminalWidth } from './terminal.js'

export type Fact = readonly [label: string, value: string | number | null | undefined]

/** Members without a value are left out. */
export function facts(list: readonly Fact[], width: number | undefined = terminalWidth()): string {
  const known = list
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([label, value]) => [label, plainText(String(value))] as const)
  if (width === undefined) return known.map(([label, value]) => `${label}\t${value}`).join('\n')
  const column = Math.max(0, ...known.map(([label]) => label.length)) + 2
  const indent = ' '.repeat(column)
  return known.map(([label, value]) => wrapText(`${label.padEnd(column)}${value}`, width, indent)).join('\n')
}

export interface Looked {
  /** pass, fail and the like. */
  readonly level: string
  readonly name: string
  readonly detail: string
  readonly remedy?: string | undefined
}

export function findingLine(
  { level, name, detail, remedy = '' }: Looked,
  width: number | undefined = terminalWidth(),
): string {
  const [what, then] = [plainText(detail), plainText(remedy)]
  if (width === undefined) return [level, name, what, then].join('\t').trimEnd()
  return wrapText(`${level}  ${name}: ${what}${then === '' ? '' : ` (${then})`}`, width, '      ')
}
