export { createInfo, createManagement, type Management } from './management.js'
export type { ManagedLists, ManagementParts } from './ports.js'
