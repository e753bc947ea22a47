// The simulated node as a program controls it: start, mine, reorganise, stop answering, close.
import type { VerifyRange } from '../grin/crypto/index.js'
import type { SystemClock, SystemRandom } from '../system/index.js'
import { createBlockSeal } from './block.js'
import { createSimulatedChain, type MineOptions, type ReorgOptions, type SimulatedChain } from './chain.js'
import type { Absence, Controls, ExtraControl, PaidCoinbase } from './control.js'
import { controlRefused } from './errors.js'
import type { Validate } from './foreign-methods.js'
import { startNodeServer } from './node-server.js'
import { createValidate, createValidateCoinbase } from './validation.js'

export interface SandboxNodeParts extends NodeOptions {
  readonly verify: VerifyRange
}

export interface NodeParts extends NodeOptions {
  readonly validate: Validate
  /** Sums, signature and proof of a coinbase that claims to be worth `value`. */
  readonly validateCoinbase: (coinbase: PaidCoinbase) => Promise<boolean>
}

interface NodeOptions {
  readonly clock: SystemClock
  readonly random: SystemRandom
  /** Milliseconds between blocks; absent: blocks only on demand. */
  readonly blockEvery?: number
  /** Default 0: the system chooses. */
  readonly port?: number
  readonly maturity?: number
  readonly apiSecret?: string
  readonly report?: (error: unknown) => void
}

export interface SandboxNode extends Controls {
  /** Base URL, without /v2/foreign. */
  readonly url: string
  readonly chain: SimulatedChain
  height(): number
  /** Adds POST /sandbox/<name>. */
  offer(name: string, control: ExtraControl): void
  /** Called after the chain changed; answers how to stop listening. */
  onBlock(listener: (height: number) => void): () => void
  /** Idempotent. */
  close(): Promise<void>
}

async function mineOnTime(node: Controls, clock: SystemClock, every: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(every, signal)
    if (!signal.aborted) node.mine(1)
  }
}

function createControls(parts: NodeParts, chain: SimulatedChain, changed: () => void) {
  let away: Absence | undefined
  const controls: Controls = {
    mine: (blocks: number, options: MineOptions = {}) => {
      for (let mined = 0; mined < blocks; mined++) chain.mine(parts.clock.now(), options)
      changed()
    },
    mineCoinbase: async (coinbase) => {
      if (chain.ledger.output(coinbase.output.commit)) throw controlRefused('this coinbase exists already')
      if (!(await parts.validateCoinbase(coinbase))) throw controlRefused('the coinbase is not valid')
      controls.mine(1, { coinbase })
    },
    reorg: (depth: number, options: ReorgOptions = {}) => {
      chain.reorg(depth, parts.clock.now(), options)
      changed()
    },
    goAway: (absence = 'reset') => {
      away = absence
    },
    comeBack: () => {
      away = undefined
    },
  }
  return { controls, absence: () => away }
}

/** Starts a chain with nothing but block 0 and its node on a loopback port. */
export async function startNode(parts: NodeParts): Promise<SandboxNode> {
  const { clock, random, validate, apiSecret } = parts
  const chain = createSimulatedChain({
    seal: createBlockSeal(() => random.bytes(8)),
    genesisAt: clock.now(),
    ...(parts.maturity === undefined ? {} : { maturity: parts.maturity }),
  })
  const listeners = new Set<(height: number) => void>()
  const height = () => chain.ledger.tip().height
  const { controls, absence } = createControls(parts, chain, () => {
    for (const listener of listeners) listener(height())
  })
  const extras = new Map<string, ExtraControl>()
  const server = await startNodeServer({
    chain,
    extras,
    validate,
    controls,
    absence,
    now: () => clock.now(),
    report: parts.report ?? (() => undefined),
    port: parts.port ?? 0,
    ...(apiSecret === undefined ? {} : { apiSecret }),
  })
  const stop = new AbortController()
  const mining = parts.blockEvery ? mineOnTime(controls, clock, parts.blockEvery, stop.signal) : Promise.resolve()
  return {
    ...controls,
    url: server.url,
    chain,
    height,
    offer: (name, extra) => void extras.set(name, extra),
    onBlock: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: async () => {
      stop.abort()
      await Promise.all([mining, server.close()])
    },
  }
}

/** The node with its real arithmetic: whatever is pushed is checked as a Grin node checks it. */
export const startSandboxNode = ({ verify, ...options }: SandboxNodeParts): Promise<SandboxNode> =>
  startNode({ ...options, validate: createValidate(verify), validateCoinbase: createValidateCoinbase(verify) })
