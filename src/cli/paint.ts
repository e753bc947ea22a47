// Colour for the words that a person looks for. Only on a terminal; Node's own rules decide there: NO_COLOR, FORCE_COLOR, TERM=dumb.

export type Tint = 'green' | 'yellow' | 'red' | 'dim'

const CODES: Readonly<Record<Tint, readonly [on: number, off: number]>> = {
  green: [32, 39],
  yellow: [33, 39],
  red: [31, 39],
  dim: [2, 22],
}

export interface ColourEnd {
  readonly isTTY?: boolean
  readonly hasColors?: () => boolean
}

const wantsColour = (end: ColourEnd): boolean => end.isTTY === true && end.hasColors?.() === true

/** The text in a colour, or as it is where none is wanted. */
export function paint(text: string, tint: Tint | undefined, end: ColourEnd = process.stdout): string {
  if (tint === undefined || text === '' || !wantsColour(end)) return text
  const [on, off] = CODES[tint]
  return `\u001b[${on}m${text}\u001b[${off}m`
}

/** The tint of a status, wherever it is shown. */
const STATUS_TINTS: Readonly<Record<string, Tint>> = {
  open: 'yellow',
  paid: 'yellow',
  confirmed: 'green',
  expired: 'dim',
  cancelled: 'dim',
  received: 'yellow',
  replied: 'yellow',
  seen: 'yellow',
  mined: 'yellow',
  abandoned: 'red',
  pending: 'yellow',
  delivered: 'green',
}

export const statusTint = (status: string): Tint | undefined => STATUS_TINTS[status]
