export { createNames } from './names.js'
export {
  BUILT_IN,
  createReservedCheck,
  domainLabels,
  isHoldableName,
  isValidName,
  type NameBounds,
  normaliseName,
  type Reservation,
  type ReservedCheck,
  shapeOf,
} from './rules.js'
