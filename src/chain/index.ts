export { createKernelSource } from './kernel-source.js'
export { chainOfNode, createNodeApi, type NodeApi } from './node-api.js'
export { createChain, type NodeClient } from './node-client.js'
export { PRIVATE_CHAIN_RULES, type TipRules, tipRulesOf } from './tips.js'
