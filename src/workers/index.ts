// The front door of the worker threads.
export { createRangeWorkers, type RangeWorkers } from './range-workers.js'
export { openVerifier, type SignatureVerifier, signatureThreadCount, type VerifierOptions } from './verifier.js'
