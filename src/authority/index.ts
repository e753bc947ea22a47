export type * from './api.js'
export { type AuthorityParts, createAuthority } from './authority.js'
export type * from './model.js'
export {
  BUILT_IN,
  createReservedCheck,
  domainLabels,
  isValidName,
  type NameBounds,
  normaliseName,
  type Reservation,
  type ReservedCheck,
  shapeOf,
} from './names/index.js'
export type * from './ports.js'
export * from './routes/index.js'
