export { type Lines, newestLines, oldestLines } from './chronological-export.js'
export { importLines, type Said } from './import.js'
export type { ImportTally } from './import-counts.js'
export { openPublisher } from './publisher.js'
