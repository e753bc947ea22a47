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
export type { KindEntry, KindSet } from './kind-set.js'
export { DEFAULT_KINDS, NOTE_KINDS } from './kinds.js'
export { type Entries, kindsOf, type ListSource, NO_LISTS, type OperatorLists } from './lists.js'
export { createPolicyPlugin } from './plugin/plugin.js'
export { createWritePolicy, type PolicyParts, type PolicyPlugin } from './policy.js'
export { type ProgramParts, runPolicyProgram } from './program.js'
export { DEFAULT_POLICY, type PolicySettings } from './settings.js'
export { createTerms } from './terms.js'
