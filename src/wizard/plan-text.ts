// The plan for people: one line per step, no contents.
import { wrapText } from '../lib/wrap-text.js'
import { changeText } from './changes.js'
import type { Plan, Step } from './steps.js'

export interface PlanLook {
  readonly title?: string
  /** Columns of the terminal; undefined: nobody watches. */
  readonly width?: number | undefined
}

/** What a step is about stands behind its path, or below it where the terminal is too narrow. */
export function planText(
  { steps, untouched, needs, changes = [] }: Plan,
  { title = 'Plan:', width }: PlanLook = {},
): string {
  const lines = [
    ...steps.flatMap((step) => (step.kind === 'directory' ? [entry('folder', placeOf(step))] : [])),
    ...steps.flatMap((step) => (step.kind === 'directory' ? [] : [entry(VERB[step.kind], placeOf(step), step.about)])),
    ...changes.map((change) => entry('change', change.name, changeText(change))),
    ...untouched.map((what) => entry('keep', ...what.split('\n'))),
    ...needs.map((what) => entry('needs', ...what.split('\n'))),
  ]
  return [title, ...lines.map((line) => fitted(line, width))].join('\n')
}

const VERB = { create: 'create', replace: 'write', remove: 'remove' } as const
const LEAD = 11

const entry = (verb: string, ...parts: readonly string[]): readonly string[] => [`  ${verb.padEnd(LEAD - 2)}`, ...parts]

const placeOf = (step: Step): string =>
  step.kind === 'remove' ? step.path : `${step.path}  ${step.mode.toString(8).padStart(4, '0')}`

const INDENT = ' '.repeat(LEAD)

/** What a need says first is prose; what follows is a command, which must stay whole. */
function fitted([lead = '', first = '', ...others]: readonly string[], width = Number.POSITIVE_INFINITY): string {
  const line = `${lead}${[first, ...others].join('  ')}`
  if (line.length <= width) return line
  const prose = wrapText(first, width - LEAD).replaceAll('\n', `\n${INDENT}`)
  return `${lead}${[prose, ...others].join(`\n${INDENT}`)}`
}
