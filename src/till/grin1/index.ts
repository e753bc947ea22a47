export {
  createForeignApi,
  FOREIGN_BODY_LIMIT,
  type ForeignAnswer,
  type ForeignApi,
} from './foreign-api.js'
