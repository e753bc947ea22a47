export { credentialsOf } from './credentials.js'
export { hasSocketBeside, keepingHandChanges } from './hand-changes.js'
export { userCommand } from './home.js'
export { stamped } from './stamp.js'
export {
  backupFolder,
  backupName,
  homeOfUnit,
  renderBackup,
  renderService,
  renderSocket,
  renderTarget,
  type UnitParts,
  unitName,
  unitSteps,
  userNeeds,
} from './units.js'
