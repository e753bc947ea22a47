// What commands do with a schema: looked into by `store check` and the doctor, changed by `store migrate`, `move` and `adopt`.
export { listInstances } from './instance-list.js'
export { importSharedNames } from './names/import.js'
export { moveNames, moveNamesBack } from './names/move.js'
export { lookAtNodes } from './nodes.js'
export { migrateOnPrimary } from './open.js'
export { NAMES_SERVICE } from './services.js'
export { forgetWatermark } from './watermark.js'
