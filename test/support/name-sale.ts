// Names that cost something: the real rules over a real name store, a clock that stands still and a service that a test drives.
import { createHmac } from 'node:crypto'
import type { AuthoritySettings, NameStore, PaymentService, Sale } from '../../src/authority/index.js'
import { createNames } from '../../src/authority/names/names.js'
import { createPaidAccess } from '../../src/authority/paid/paid-access.js'
import { GrinpayError } from '../../src/lib/errors.js'
import { Secret } from '../../src/lib/secret.js'
import { createFakeClock } from './fake-clock.js'
import { createFakePayments } from './fake-payments.js'
import { quickNames } from './quick-stores.js'
import { freshHex, grin } from './till-builders.js'

export const INTERVAL_SECONDS = 5
const HOOK_SECRET = 'the secret of both sides'

interface SaleOptions {
  readonly sale?: Sale | undefined
  readonly pollIntervalSeconds?: number
  readonly payments?: PaymentService
  readonly withSecret?: boolean
  readonly secret?: string
  /** Instead of an empty one. */
  readonly store?: NameStore
}

const settingsOf = (sale: Sale | undefined, pollIntervalSeconds: number): AuthoritySettings => ({
  domain: 'names.example',
  baseUrl: 'https://names.example',
  relays: [],
  nameMin: 3,
  nameMax: 20,
  cooldownSeconds: 0,
  authMaxAgeSeconds: 60,
  reserved: [],
  sale,
  pollIntervalSeconds,
  transfers: undefined,
})

export const bytesOf = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value))
export const signatureOf = (body: Uint8Array, secret = HOOK_SECRET): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

/** What a refusal tells over HTTP; `ok` when there was none. */
export const answerTo = (work: Promise<unknown>) =>
  work.then(
    () => ({ status: 200, code: 'ok', members: {} as Readonly<Record<string, unknown>> }),
    (thrown: unknown) => {
      if (!(thrown instanceof GrinpayError)) throw thrown
      return { status: thrown.status, code: thrown.code, members: thrown.members ?? {} }
    },
  )

export const NAME_SALE: Sale = { resource: 'name', price: grin(1.5) }
export const WRITE_SALE: Sale = { resource: 'write', price: grin(2) }

export function openSale(options: SaleOptions = {}) {
  const { pollIntervalSeconds = INTERVAL_SECONDS, withSecret = true, secret = HOOK_SECRET } = options
  const payments = createFakePayments()
  const store: NameStore = options.store ?? quickNames()
  const clock = createFakeClock()
  const log: { readonly level: string; readonly fields: object; readonly text: string }[] = []
  const write = (level: string) => (fields: object, text: string) => void log.push({ level, fields, text })

  /** As another process, or this one after a restart, would have it: same database, nothing remembered. */
  function open(sale: Sale | undefined = 'sale' in options ? options.sale : NAME_SALE, over: Partial<NameStore> = {}) {
    const settings = settingsOf(sale, pollIntervalSeconds)
    const used = { ...store, ...over }
    const paid = createPaidAccess({
      store: used,
      clock,
      log: { info: write('info'), warn: write('warn'), error: write('error') },
      settings,
      payments: options.payments ?? payments,
      webhookSecret: withSecret ? new Secret(secret) : undefined,
    })
    const names = createNames({ store: used, clock, settings, paid })
    return {
      paid,
      claim: (pubkey: string, name: string) => answerTo(names.register({ pubkey }, bytesOf({ name, pubkey }))),
      quote: (pubkey: string, body: unknown) => answerTo(paid.quote({ pubkey }, bytesOf(body))),
      async nudge(invoiceId: string) {
        const body = bytesOf({ event_type: 'payment.confirmed', invoice_id: invoiceId })
        return answerTo(paid.webhook(body, signatureOf(body)))
      },
      pass: async () => {
        for (const loop of paid.loops) await loop.pass()
      },
    }
  }

  return { ...open(), open, payments, store, clock, log, aKey: () => freshHex(64) }
}
