// The plan for people: one line per step, no contents.
import { wrapText } from '../lib/wrap-text.js'
import { changeText, type Plan, type Step } from './steps.js'

export interface PlanLook {
  readonly title?: string
  /** Columns of the terminal; undefined: no terminal. */
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
    ...untouched.map((what) => withCommands('keep', what)),
    ...needs.map((what) => withCommands('needs', what)),
  ]
  return [title, ...lines.map((line) => fitted(line, width))].join('\n')
}

const VERB = { create: 'create', replace: 'write', remove: 'remove' } as const
const LEAD = 11

/** What stands on one line where there is room, each part below the other where there is none. */
interface Entry {
  readonly verb: string
  readonly parts: readonly string[]
  /** How many of them are prose, from the first; the others are commands, which must stay whole. */
  readonly prose: number
}

const entry = (verb: string, ...parts: readonly string[]): Entry => ({ verb, parts, prose: parts.length })

const withCommands = (verb: string, what: string): Entry => ({ verb, parts: what.split('\n'), prose: 1 })

const placeOf = (step: Step): string =>
  step.kind === 'remove' ? step.path : `${step.path}  ${step.mode.toString(8).padStart(4, '0')}`

const INDENT = ' '.repeat(LEAD)

function fitted({ verb, parts, prose }: Entry, width = Number.POSITIVE_INFINITY): string {
  const lead = `  ${verb.padEnd(LEAD - 2)}`
  const line = `${lead}${parts.join('  ')}`
  if (line.length <= width) return line
  const below = parts.map((part, at) => (at < prose ? wrapText(part, width - LEAD) : part))
  return `${lead}${below.join('\n').replaceAll('\n', `\n${INDENT}`)}`
}
