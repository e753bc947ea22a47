// Dependencies of the operator's commands: the database and the rules for names.
import type { NameShape } from '../model.js'
import {
  isHoldableName,
  isValidName,
  type NameBounds,
  normaliseName,
  type ReservedCheck,
  shapeOf,
} from '../names/index.js'
import type { Clock } from '../ports.js'
import { nameUnusable } from './errors.js'
import type { OperatorStore } from './ports.js'

export interface AdminParts {
  readonly store: OperatorStore
  readonly clock: Pick<Clock, 'now'>
  readonly bounds: NameBounds
  readonly isReserved: ReservedCheck
}

/** A name that a key can hold. Throws NAME_UNUSABLE. */
export function claimableShape(typed: string, bounds: NameBounds): NameShape {
  const name = normaliseName(typed)
  if (!isHoldableName(name, bounds)) throw nameUnusable(typed, bounds.nameMin, bounds.nameMax)
  return shapeOf(name)
}

/**
 * A name to reserve. Names below the minimum length are allowed: they reserve their longer look-alikes.
 * Throws NAME_UNUSABLE.
 */
export function reservableShape(typed: string, { nameMax }: NameBounds): NameShape {
  const name = normaliseName(typed)
  if (!isValidName(name, { nameMin: 1, nameMax })) throw nameUnusable(typed, 1, nameMax)
  return shapeOf(name)
}
