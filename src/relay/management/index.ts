export { createInfo, createManagement, type Management } from './management.js'
