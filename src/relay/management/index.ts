export { createInfo } from './info.js'
export { createManagement, type Management } from './management.js'
export type { ManagedLists, ManagementParts } from './ports.js'
