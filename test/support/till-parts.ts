// A till on fakes: real rules and a real store, a clock that stands still, a chain, rates and receiver that a test writes.
import { createHash } from 'node:crypto'
import { Secret } from '../../src/lib/secret.js'
import { createTill, type SendWebhook, type TillParts, type TillSettings } from '../../src/till/index.js'
import { createFakeChain } from './fake-chain.js'
import { createFakeClock } from './fake-clock.js'
import { createFakeWallet } from './fake-wallet.js'
import { quickTill } from './quick-stores.js'
import { tillSettings, WORKER } from './till-builders.js'

const HOOK_SECRET = `whsec_${'c3'.repeat(32)}`
export const MASTER = new Uint8Array(32).fill(7)

const SETTINGS = tillSettings({
  publicUrl: 'https://pay.shop.example',
  chain: 'testnet',
  currencies: ['usd', 'eur'],
})

interface LogLine {
  readonly level: 'info' | 'warn' | 'error'
  readonly fields: Record<string, unknown>
  readonly text: string
}

type Sent = Parameters<SendWebhook>[0]
type Answer = Awaited<ReturnType<SendWebhook>>

/** A receiver of webhooks: `answers` are given one after the other, then 200. */
function createFakeShop() {
  const sent: Sent[] = []
  const answers: (Answer | Promise<Answer>)[] = []
  const send: SendWebhook = async (request) => {
    sent.push(request)
    return (await answers.shift()) ?? { httpStatus: 200, error: null, answerHead: 'ok' }
  }
  return { send, sent, answers, answer: (httpStatus: number) => answers.push(answerOf(httpStatus)) }
}

export const answerOf = (httpStatus: number | null, error: string | null = null): Answer => ({
  httpStatus,
  error,
  answerHead: `answer ${httpStatus}`,
})

export interface FakeTillOptions {
  readonly settings?: Partial<TillSettings>
  readonly parts?: Partial<TillParts>
}

export function openTill({ settings = {}, parts = {} }: FakeTillOptions = {}) {
  const store = quickTill()
  const clock = createFakeClock()
  const chain = createFakeChain()
  const wallet = createFakeWallet()
  const shop = createFakeShop()
  const rates = new Map([['usd', '0.02']])
  const knownRates = new Map<string, { readonly rate: string; readonly source: string; readonly at: number }>()
  const log: LogLine[] = []
  const write = (level: LogLine['level']) => (fields: object, text: string) =>
    void log.push({ level, fields: { ...fields }, text })
  let drawn = 0
  const drawBytes = (length: number) => {
    drawn += 1
    return new Uint8Array(createHash('sha512').update(`draw ${drawn}`).digest().subarray(0, length))
  }
  const till = createTill({
    store,
    workerId: WORKER,
    chain,
    wallet,
    clock,
    send: shop.send,
    rates: {
      async rate(currency) {
        const rate = rates.get(currency)
        if (rate === undefined) throw new Error('the source does not answer')
        return { rate, source: 'fixed', at: clock.now() }
      },
      known: async (currency) => knownRates.get(currency),
      alarms: () => [],
    },
    identity: new Secret(MASTER),
    random: { bytes: (length) => drawBytes(length) },
    settings: { ...SETTINGS, ...settings },
    log: { info: write('info'), warn: write('warn'), error: write('error') },
    webhookSecrets: () => [new Secret(HOOK_SECRET)],
    version: '9.9.9',
    hasSpareKey: async () => true,
    ...parts,
  })
  return { till, store, clock, chain, wallet, shop, rates, knownRates, log }
}

export type OpenedTill = ReturnType<typeof openTill>

/** The `code` of the refusal that `work` ends in, or 'ok'. */
export const codeOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'ok',
    (thrown: unknown) => (thrown instanceof Error && 'code' in thrown ? String(thrown.code) : String(thrown)),
  )

/** Status and text of a refusal. */
export const refusalOf = async (work: Promise<unknown>): Promise<{ status: unknown; text: string } | 'ok'> =>
  work.then(
    () => 'ok' as const,
    (thrown: unknown) => ({
      status: thrown instanceof Error && 'status' in thrown ? thrown.status : undefined,
      text: thrown instanceof Error ? thrown.message : String(thrown),
    }),
  )
