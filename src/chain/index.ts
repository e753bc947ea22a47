export { createKernelSource, type KernelSourceOptions } from './kernel-source.js'
export { createNodeApi, type NodeApi } from './node-api.js'
export { createChain, type NodeClient } from './node-client.js'
export type { TipRules } from './tips.js'
