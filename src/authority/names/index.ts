export { isHoldableName, isValidName, type NameBounds, normaliseName } from './grammar.js'
export { shapeOf } from './look-alikes.js'
export { createNames } from './names.js'
export { BUILT_IN, createReservedCheck, domainLabels, type Reservation, type ReservedCheck } from './reserved.js'
