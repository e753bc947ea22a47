export {
  createForeignApi,
  FOREIGN_BODY_LIMIT,
  type ForeignAnswer,
  type ForeignApi,
  type ForeignParts,
  type ForeignRequest,
} from './foreign-api.js'
