import type { Publisher, PublisherParts } from './publisher.js'

export { type Lines, newestLines, oldestLines } from './chronological-export.js'
export { importLines, type PublishAnswer } from './import.js'
export type { ImportCounts } from './import-counts.js'
export type { Publisher } from './publisher.js'

/** Loaded on first use: a running relay needs no client of relays. */
export const openPublisher = async (parts: PublisherParts): Promise<Publisher> =>
  (await import('./publisher.js')).openPublisher(parts)
