export { createDifferences, type Differences } from './differences.js'
export { firstMessage, LEAST_FRAME_BYTES, openRound, type RoundParts } from './round.js'
export { createSetBuilder, type SyncSet } from './sync-set.js'
export { BadMessage } from './wire.js'
