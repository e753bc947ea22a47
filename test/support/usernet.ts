// A real private Grin network for the interop suite: the node and the wallets are unmodified programs (see test/interop/README.md).
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const SCRIPT = join(import.meta.dirname, '../interop/usernet/usernet.sh')
const ORACLES = process.env.GRINPAY_ORACLES ?? join(homedir(), '.cache/grinpay-oracles')

/** Why the suite cannot run here, or undefined when it can. */
export function missingOracles(): string | undefined {
  const missing = ['grin', 'grin-wallet'].filter((name) => !existsSync(join(ORACLES, 'bin', name)))
  return missing.length === 0
    ? undefined
    : `no ${missing.join(' and ')} in ${ORACLES}/bin (test/interop/usernet/install-grin.sh)`
}

export interface Usernet {
  readonly dir: string
  readonly nodeUrl: string
  mine(blocks: number): Promise<void>
  tip(): Promise<{ readonly height: number; readonly hash: string }>
  rpc<T>(method: string, params: readonly unknown[]): Promise<T>
  newWallet(name: string, words?: string): Promise<void>
  /** Runs `grin-wallet ARGS` for that wallet and answers its output; rejects on a non-zero exit. */
  wallet(name: string, ...args: readonly string[]): Promise<string>
  /** `grin-wallet pay` of the I1 in one file, its I2 into another; `deliver`: it tries to bring it there by itself first. */
  pay(name: string, i1: string, i2: string, deliver?: boolean): Promise<void>
  address(name: string): Promise<string>
  /** Makes the node forget every block above `height`, as if a longer chain without them had won. */
  rewindTo(height: number): Promise<void>
  clean(): Promise<void>
}

/** Starts node, miner wallet and listener on ports from `base`, and mines until the miner can spend. */
export async function startUsernet(base: number): Promise<Usernet> {
  const dir = mkdtempSync(join(tmpdir(), 'grinpay-usernet-'))
  const env: NodeJS.ProcessEnv = { ...process.env, GRINPAY_ORACLES: ORACLES, GRIN_BASE: String(base) }
  const call = async (...args: readonly string[]) => {
    const [command = '', ...rest] = args
    const { stdout } = await run('bash', [SCRIPT, command, dir, ...rest], {
      env,
      timeout: 300_000,
      maxBuffer: 16 << 20,
    })
    return stdout
  }
  const nodeUrl = `http://127.0.0.1:${base}`
  const rpc = async <T>(method: string, params: readonly unknown[]) =>
    JSON.parse(await call('rpc', method, JSON.stringify(params))) as T

  async function owner(method: string, params: readonly unknown[]): Promise<void> {
    const secret = readFileSync(join(dir, 'node/.api_secret'), 'utf8').trim()
    const answer = await fetch(`${nodeUrl}/v2/owner`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`grin:${secret}`).toString('base64')}` },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const { result } = (await answer.json()) as { result?: { Err?: unknown } }
    if (!result || result.Err) throw new Error(`${method}: ${JSON.stringify(result)}`)
  }

  const tip = async () => {
    const { height, last_block_pushed } = await rpc<{ height: number; last_block_pushed: string }>('get_tip', [])
    return { height, hash: last_block_pushed }
  }
  const headerHash = async (height: number) => (await rpc<{ hash: string }>('get_header', [height, null, null])).hash

  await call('start')
  await call('fund')
  return {
    dir,
    nodeUrl,
    rpc,
    tip,
    mine: async (blocks) => void (await call('mine', String(blocks))),
    newWallet: async (name, words) => void (await call('new-wallet', name, ...(words ? [words] : []))),
    wallet: (name, ...args) => call('w', name, ...args),
    async pay(name, i1, i2, deliver = false) {
      env.GRIN_PAY_FLAGS = deliver ? '' : '-m'
      await call('pay', name, i1, i2)
    },
    address: async (name) => /tgrin1[a-z0-9]+/.exec(await call('w', name, 'address'))?.[0] ?? '',
    async rewindTo(height) {
      const [keep, drop] = [await headerHash(height), await headerHash(height + 1)]
      await owner('invalidate_header', [drop])
      await owner('reset_chain_head', [keep])
    },
    clean: async () => void (await call('clean')),
  }
}
