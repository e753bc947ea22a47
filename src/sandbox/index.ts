export { type SandboxNode, startNode } from './node.js'
