// One line of what was looked at: a sentence for people, tab separated columns for programs.
import { plainText } from '../lib/plain-text.js'
import { wrapText } from '../lib/wrap-text.js'
import { terminalWidth } from './terminal.js'

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
