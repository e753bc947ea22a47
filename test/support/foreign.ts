// The Foreign API of a till on a real wallet: slates are real, store and chain are fakes.
import { openKeychain } from '../../src/grin/keychain/index.js'
import { createForeignApi, createWallet, type TillSettings } from '../../src/till/index.js'
import { countingRandom, prove, verify, walletOf } from './grin.js'
import { openRail } from './grin1.js'

export interface ForeignOptions {
  readonly mnemonic?: string
  readonly settings?: Partial<TillSettings>
  readonly height?: number
}

export function openForeign({ mnemonic, settings = {}, height = 3_000_000 }: ForeignOptions = {}) {
  const keychain = mnemonic === undefined ? openKeychain(new Uint8Array(32).fill(1)) : walletOf(mnemonic)
  const wallet = createWallet({
    keychain,
    prefix: 'grin',
    prove,
    verify,
    random: countingRandom(5),
    clock: { now: () => 0 },
  })
  const opened = openRail({ settings, parts: { wallet } })
  opened.chain.height = height
  const { till, clock } = opened
  const crashes: unknown[] = []
  const api = createForeignApi({ till, wallet, clock, log: { error: (fields) => crashes.push(fields) } })

  const post = (text: string) =>
    api.answer({
      method: 'POST',
      path: '/v2/foreign',
      body: async () => ({ bytes: new Uint8Array(Buffer.from(text)), cut: false }),
    })
  /** The answer to one request, parsed. */
  // biome-ignore lint/suspicious/noExplicitAny: an answer as a client reads it
  const ask = async (request: unknown): Promise<any> => JSON.parse((await post(JSON.stringify(request))).body)
  const call = (method: string, params: unknown) => ask({ jsonrpc: '2.0', id: 1, method, params })
  return { ...opened, wallet, keychain, api, post, ask, call, crashes }
}

export type OpenedForeign = ReturnType<typeof openForeign>
