export { createNamesArea, type NameAccess, namesOf } from './area.js'
