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
