// Customers of the sandbox, one for each way to pay. All spend from the same coins.
import type { InvoicingClient } from '../client/index.js'
import { formatSlateJson, parseSlateJson } from '../grin/slate/index.js'
import { armorSlate, readSlatepack } from '../grin/slatepack/index.js'
import { messageOf } from '../lib/errors.js'
import { membersOf } from '../lib/parse-json.js'
import { foreignText } from '../lib/plain-text.js'
import type { SystemClock, SystemRandom } from '../system/index.js'
import { badRail, foreignRefused } from './errors.js'
import { createNostrPayer } from './nostr-payer.js'
import type { SandboxPayer, SignedPayment } from './payer.js'
import { callForeign } from './payer-http.js'

const PAY_RAILS = ['nostr', 'slatepack', 'grin1'] as const
type PayRail = (typeof PAY_RAILS)[number]

type View = Pick<Awaited<ReturnType<InvoicingClient['invoice']>>, 'pay_url' | 'pay_link' | 'amount_nanogrin'>

export type Customers = Readonly<Record<PayRail, (invoice: View) => Promise<SignedPayment>>>

interface CustomerParts {
  readonly payer: SandboxPayer
  /** http://127.0.0.1:port of the till's Foreign API. */
  readonly foreignUrl: string
  readonly clock: SystemClock
  readonly random: SystemRandom
}

export function createCustomers(parts: CustomerParts): Customers {
  const nostr = createNostrPayer(parts)
  const foreign = createForeignPayer(parts)
  return {
    nostr: ({ pay_link }) => nostr.pay(pay_link),
    slatepack: ({ pay_url }) => parts.payer.pay(pay_url),
    grin1: ({ amount_nanogrin }) => foreign.pay(BigInt(amount_nanogrin)),
  }
}

/** The rail to pay over; default `nostr`. Throws SANDBOX_BAD_RAIL. */
export function payRailOf(value: unknown): PayRail {
  const rail = PAY_RAILS.find((known) => known === (value ?? 'nostr'))
  if (!rail) throw badRail(foreignText(value).slice(0, 40))
  return rail
}

// A customer with a stock grin-wallet: S1 to the till's Foreign API and S2 back in the answer (specification: grin-wallet, 7).

const PREFIX = 'tgrin'
/** A receiver this old or one that does not speak V4 is not sent to. */
const OLDEST_API = 2

interface ForeignPayerParts {
  readonly payer: Pick<SandboxPayer, 'payOver' | 'ready'>
  /** http://127.0.0.1:port, where the onion service ends. */
  readonly foreignUrl: string
}

/** Throws SANDBOX_FOREIGN_REFUSED with the till's error text. */
function createForeignPayer({ payer, foreignUrl }: ForeignPayerParts) {
  async function ask(method: string, params: readonly unknown[]): Promise<unknown> {
    const answer = await callForeign(foreignUrl, method, params).catch((cause: unknown) => {
      throw foreignRefused(messageOf(cause))
    })
    if ('refusal' in answer) throw foreignRefused(answer.refusal)
    return answer.ok
  }

  async function checkVersion(): Promise<void> {
    const version = await ask('check_version', [])
    const { foreign_api_version: api, supported_slate_versions: slates } = membersOf(version)
    if (Number(api) < OLDEST_API || !Array.isArray(slates) || !slates.includes('V4'))
      throw foreignRefused('it does not take slates of version 4')
  }

  return {
    /** Pays exactly this many nanogrin. */
    async pay(amount: bigint): Promise<SignedPayment> {
      await payer.ready()
      return payer.payOver(amount, async ({ s1 }) => {
        await checkVersion()
        const { slate } = await readSlatepack(s1, { prefix: PREFIX })
        const answer = await ask('receive_tx', [JSON.parse(formatSlateJson(slate)), null, null])
        return armorSlate(parseSlateJson(answer), { prefix: PREFIX })
      })
    },
  }
}
