export type { PolicyAuthority } from './authority-checks.js'
export {
  applyChange,
  changesBetween,
  entryOf,
  type InfoName,
  type ListChange,
  type ListName,
  oppositeOf,
} from './changes.js'
export { type Entries, kindsOf, type ListSource, NO_LISTS, type OperatorLists } from './lists.js'
export { createPolicyPlugin } from './plugin/plugin.js'
export { createWritePolicy, type PolicyParts, type PolicyPlugin } from './policy.js'
export { type ProgramParts, runPolicyProgram } from './program.js'
export {
  createTerms,
  DEFAULT_KINDS,
  DEFAULT_POLICY,
  type KindEntry,
  type KindSet,
  NOTE_KINDS,
  type PolicySettings,
} from './rules.js'
