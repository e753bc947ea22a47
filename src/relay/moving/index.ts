export { type Lines, newestLines, oldestLines } from './chronicle.js'
export { importLines, type Said } from './import.js'
export { openPublisher } from './publisher.js'
export type { ImportTally } from './tally.js'
