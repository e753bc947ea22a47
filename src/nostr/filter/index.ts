export type { Filter, TagCondition } from './filter.js'
