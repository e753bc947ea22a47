export type { Chain, MineOptions, ReorgOptions } from './chain.js'
export { type SandboxNode, type SandboxNodeParts, startSandboxNode } from './node.js'
export type { Absence } from './node-server.js'
export {
  createSandboxPayer,
  type FinishedPayment,
  type HeldPayment,
  type PayerParts,
  type SandboxPayer,
} from './payer.js'
