export {
  createMatcher,
  type Filter,
  fits,
  matches,
  type PreparedFilter,
  prepareFilter,
  type TagCondition,
} from './filter.js'
export { NOTHING, parseFilter } from './parse.js'
