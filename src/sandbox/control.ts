// What the developer may do to the simulated node over HTTP: look, mine, reorganise, send it away. Never part of a Grin node.
import type { IncomingHttpHeaders } from 'node:http'
import type { VerifyRange } from '../grin/crypto/index.js'
import {
  isSigned,
  kernelSumsBalance,
  parseKernelJson,
  parseTransactionJson,
  sortByHash,
  validateTransaction,
} from '../grin/tx/index.js'
import { fromHex } from '../lib/bytes.js'
import { GrinpayError } from '../lib/errors.js'
import type { Coinbase } from './block.js'
import type { MineOptions, ReorgOptions } from './chain.js'
import { controlRefused } from './errors.js'
import type { NodeAnswer, NodeApiParts, Validate } from './foreign-methods.js'
import { parseKernel, parseOutput } from './transaction-json.js'

/** `reset` drops every request's connection; `silent` takes requests and never answers. */
export type Absence = 'reset' | 'silent'

/** A coinbase and what it is worth, in nanogrin: in the sandbox a miner names the reward. */
export interface PaidCoinbase extends Coinbase {
  readonly value: bigint
}

export interface Controls {
  mine(blocks: number, options?: MineOptions): void
  /** Checks the coinbase, then mines one block with it. Throws CONTROL_REFUSED. */
  mineCoinbase(coinbase: PaidCoinbase): Promise<void>
  reorg(depth: number, options?: ReorgOptions): void
  goAway(absence?: Absence): void
  comeBack(): void
}

/** A control of another part, such as the payer. Its result is returned beside the node's state. */
export type ExtraControl = (members: Members) => Promise<object>

export interface NodeControlParts extends NodeApiParts {
  readonly controls: Controls
  readonly extras: ReadonlyMap<string, ExtraControl>
  readonly absence: () => Absence | undefined
  /** An unexpected failure: a bug of the simulator, for the log. */
  readonly report: (error: unknown) => void
}

interface ControlRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

type Members = Readonly<Record<string, unknown>>

const MOST_BLOCKS = 10_000

function count(value: unknown, fallback: number): number {
  if (value === undefined) return fallback
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1 || value > MOST_BLOCKS)
    throw controlRefused(`need a number from 1 to ${MOST_BLOCKS}`)
  return value
}

function coinbaseOf(value: unknown): PaidCoinbase {
  const members: Members = typeof value === 'object' && value !== null ? { ...value } : {}
  const [output, kernel] = [parseOutput(members.output), parseKernel(members.kernel)]
  if (!output || !kernel || typeof members.value !== 'string' || !/^\d{1,20}$/.test(members.value))
    throw controlRefused('the coinbase does not parse')
  return { output, kernel, value: BigInt(members.value) }
}

const ACTIONS: Readonly<Record<string, (members: Members, controls: Controls) => void | Promise<void>>> = {
  mine: (members, controls) => controls.mine(count(members.blocks, 1), members.empty === true ? { empty: true } : {}),
  coinbase: (members, controls) => controls.mineCoinbase(coinbaseOf(members)),
  reorg: (members, controls) =>
    controls.reorg(count(members.depth, 1), members.forget === true ? { forget: true } : {}),
  away: (members, controls) => controls.goAway(members.how === 'silent' ? 'silent' : 'reset'),
  back: (_, controls) => controls.comeBack(),
}

const json = (status: number, value: unknown): NodeAnswer => ({
  status,
  body: `${JSON.stringify(value)}\n`,
  contentType: 'application/json; charset=utf-8',
})

const state = ({ chain, absence }: NodeControlParts) => ({
  network: 'SANDBOX',
  height: chain.ledger.tip().height,
  tip: chain.ledger.tip().hash,
  pool: chain.pool().length,
  away: absence() ?? null,
})

function actionMembers({ headers, text }: ControlRequest): Members {
  // A web page cannot send this content type to another origin without asking, so it cannot steer the sandbox.
  if (headers['content-type']?.split(';')[0]?.trim() !== 'application/json')
    throw controlRefused('send application/json')
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    throw controlRefused('the body is not JSON')
  }
}

async function act(
  name: string,
  members: Members,
  { controls, extras }: NodeControlParts,
): Promise<object | undefined> {
  const extra = extras.get(name)
  if (extra) return extra(members)
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined
  if (!action) return undefined
  await action(members, controls)
  return {}
}

const NOTHING = json(404, { error: 'no such sandbox control' })

/** Answers GET /sandbox with the state, and POST /sandbox/… with the state after the action. */
export async function control(request: ControlRequest, parts: NodeControlParts): Promise<NodeAnswer> {
  if (request.method === 'GET' && request.path === '/sandbox') return json(200, state(parts))
  if (request.method !== 'POST') return NOTHING
  try {
    const answer = await act(request.path.slice('/sandbox/'.length), actionMembers(request), parts)
    return answer ? json(200, { ...state(parts), ...answer }) : NOTHING
  } catch (error) {
    if (!(error instanceof GrinpayError)) throw error
    return json(error.status, { error: error.message, code: error.code, hint: error.hint })
  }
}

// The curve arithmetic a node does before it believes anything: sums, kernel signatures, range proofs.

/** Points off the curve and halves of signatures out of range throw; to a node they are just invalid. */
async function holds(check: () => boolean | Promise<boolean>): Promise<boolean> {
  try {
    return await check()
  } catch (error) {
    if (error instanceof GrinpayError || error instanceof RangeError) return false
    throw error
  }
}

/** A pushed transaction by itself; the order of bare inputs is judged elsewhere, so inputs are sorted here. */
export function createValidate(verify: VerifyRange): Validate {
  return (transaction) =>
    holds(async () => {
      const parsed = parseTransactionJson(transaction)
      return (await validateTransaction({ ...parsed, inputs: sortByHash(parsed.inputs) }, verify)) === undefined
    })
}

/** A coinbase is worth exactly `value`, signed and proven. */
export function createValidateCoinbase(verify: VerifyRange) {
  return ({ output, kernel, value }: PaidCoinbase): Promise<boolean> =>
    holds(async () => {
      const parsed = parseKernelJson(kernel)
      const commitment = fromHex(output.commit, 33, 'commit')
      const balances = kernelSumsBalance({
        inputs: [],
        outputs: [{ coinbase: true, commitment }],
        excesses: [parsed.excess],
        offset: new Uint8Array(32),
        fees: 0n,
        created: value,
      })
      const isCoinbase = output.features === 'Coinbase' && parsed.features.kind === 'coinbase'
      return isCoinbase && balances && isSigned(parsed) && (await verify(commitment, fromHex(output.proof, 675)))
    })
}
