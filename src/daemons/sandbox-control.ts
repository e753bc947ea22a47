// Steers a running sandbox over its node's loopback port, for `sandbox pay`, `sandbox mine` and `sandbox reorg`.
import { steer } from '../sandbox/index.js'
import { USUAL_NODE_PORT } from './sandbox-ports.js'

/** One control of the sandbox; answers its state. Throws SANDBOX_NODE_UNREACHABLE and what the sandbox refuses. */
export const steerSandbox = (action: string, body: object, port: number = USUAL_NODE_PORT) =>
  steer(`http://127.0.0.1:${port}`, action, body)
