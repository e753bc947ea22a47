export { type Credential, credentialsOf } from './credentials.js'
export { userCommand } from './home.js'
export { stamped } from './stamp.js'
export {
  backupName,
  homeOfUnit,
  renderBackup,
  renderService,
  renderSocket,
  renderTarget,
  type UnitParts,
  unitName,
} from './units.js'
