// `@grinpay/grin/browser`: everything in one file, for a page without a bundler. `scripts/packages.mjs` joins it with what it depends on.
export * from './index.js'
export { createProver, type Prover, type ProverOptions, type WorkerProver } from './prover/web.js'
