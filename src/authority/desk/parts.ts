// What the operator's desk works with: the database and the rules of the names.
import type { NameShape } from '../model.js'
import { isValidName, type NameBounds, normaliseName, type ReservedCheck, shapeOf } from '../names/index.js'
import type { Clock } from '../ports.js'
import { nameUnusable } from './errors.js'
import type { OperatorStore } from './ports.js'

export interface DeskParts {
  readonly store: OperatorStore
  readonly clock: Pick<Clock, 'now'>
  readonly bounds: NameBounds
  readonly isReserved: ReservedCheck
}

/** A name that somebody could hold. Throws NAME_UNUSABLE. */
export function claimableShape(typed: string, bounds: NameBounds): NameShape {
  const name = normaliseName(typed)
  if (!isValidName(name, bounds)) throw nameUnusable(typed, bounds.nameMin, bounds.nameMax)
  return shapeOf(name)
}

/**
 * A name to keep back. Shorter ones than anybody may hold count too: their longer look-alikes are kept back with them.
 * Throws NAME_UNUSABLE.
 */
export const reservableShape = (typed: string, { nameMax }: NameBounds): NameShape =>
  claimableShape(typed, { nameMin: 1, nameMax })
