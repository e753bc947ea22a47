// Range proofs in worker threads, of Node or of a browser. Two more front doors keep away what a program does not need: `node.ts` (threads of
// Node) and `range-requests.ts` (the proofs themselves, which only the threads load).

export type { Thread } from './messages.js'
export { responseTo } from './messages.js'
export { createRangePool, type RangePool, rangePortsOver } from './pool.js'
