export { type NameAccess, namesOf } from './access.js'
export { createNamesArea } from './area.js'
