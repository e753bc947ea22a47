// What `npm run simulate` was asked for.
import { parseArgs } from 'node:util'
import { KINDS, type Kind, type World } from './world.js'
import { WORLDS } from './worlds.js'

export class Usage extends Error {}

export interface Options {
  readonly kinds: readonly Kind[]
  readonly first: number
  readonly last: number
  readonly minutes: number | undefined
  readonly without: readonly string[]
  readonly hours: number | undefined
  readonly untilMs: number | undefined
  readonly trace: boolean
  readonly shrink: boolean
  /** Writes what was reached as the run to compare later ones with. */
  readonly keep: boolean
}

/** Throws Usage. */
export function readOptions(): Options {
  const values = parsed()
  const minutes = numberOf('--minutes', values.minutes)
  if (values.seed !== undefined && values.seeds !== undefined) throw new Usage('--seed or --seeds, not both')
  const [first, last] = rangeOf(values.seed ?? values.seeds ?? '1..10', minutes !== undefined)
  return {
    ...{ kinds: kindsOf(values.kind), first, last, minutes },
    without: values.without.split(',').filter(Boolean),
    hours: numberOf('--hours', values.hours),
    untilMs: values.until === undefined ? undefined : untilOf(values.until),
    ...{ trace: values.trace, shrink: values.shrink, keep: values.keep },
  }
}

/** Throws Usage when a name is none of the world's. */
export function checkLeftOut({ kind, faults, actors }: World, without: readonly string[]): void {
  const known = [...faults, ...actors]
  for (const name of without)
    if (!known.includes(name)) throw new Usage(`--without ${name}: a world of kind ${kind} has ${known.join(', ')}`)
}

function parsed() {
  try {
    return parseArgs({
      options: {
        ...{ seed: { type: 'string' }, seeds: { type: 'string' }, minutes: { type: 'string' } },
        ...{ hours: { type: 'string' }, until: { type: 'string' } },
        kind: { type: 'string', default: 'till' },
        without: { type: 'string', default: '' },
        trace: { type: 'boolean', default: false },
        shrink: { type: 'boolean', default: false },
        keep: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    throw new Usage(error instanceof Error ? error.message : String(error))
  }
}

function kindsOf(text: string): readonly Kind[] {
  const present = KINDS.filter((kind) => WORLDS[kind])
  if (text === 'all') return present
  const found = present.find((kind) => kind === text)
  if (!found) throw new Usage(`--kind ${text}: one of ${present.join(', ')}, all`)
  return [found]
}

function rangeOf(text: string, isOpen: boolean): readonly [number, number] {
  const [, first, last = first] = /^(\d{1,9})(?:\.\.(\d{1,9}))?$/.exec(text) ?? []
  if (first === undefined || Number(last) < Number(first)) throw new Usage(`${text}: a number, or two as in 1..2000`)
  return [Number(first), isOpen ? Number.MAX_SAFE_INTEGER : Number(last)]
}

function numberOf(flag: string, text: string | undefined): number | undefined {
  if (text !== undefined && !(Number(text) > 0)) throw new Usage(`${flag} ${text}: a number above 0`)
  return text === undefined ? undefined : Number(text)
}

/** A moment as the trace prints it. */
function untilOf(text: string): number {
  const [, days, hours = '0', minutes = '0', seconds = '0'] =
    /^(\d{1,3})d(?: (\d\d):(\d\d)(?::(\d\d(?:\.\d{1,3})?))?)?$/.exec(text) ?? []
  if (days === undefined) throw new Usage(`--until "${text}": a moment of the trace, such as "2d 07:15:02"`)
  return ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60_000 + Math.ceil(Number(seconds) * 1000)
}
