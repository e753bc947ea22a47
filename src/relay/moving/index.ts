export { type Lines, newestLines, oldestLines } from './chronological-export.js'
export { importLines, type PublishAnswer } from './import.js'
export type { ImportCounts } from './import-counts.js'
export { openPublisher } from './publisher.js'
