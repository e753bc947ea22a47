export type { Filter, TagCondition } from './filter.js'
export { createMatcher, fits, matches, type PreparedFilter, prepareFilter } from './match.js'
export { NOTHING, parseFilter } from './parse.js'
