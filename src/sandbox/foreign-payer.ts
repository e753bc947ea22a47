// A customer with a stock grin-wallet: S1 to the till's Foreign API and S2 back in the answer (specification: grin-wallet, 7).
import { formatSlateJson, parseSlateJson } from '../grin/slate/index.js'
import { armorSlate, readSlatepack } from '../grin/slatepack/index.js'
import { messageOf } from '../lib/errors.js'
import { membersOf } from '../lib/parse-json.js'
import { foreignRefused } from './errors.js'
import type { SandboxPayer, SignedPayment } from './payer.js'
import { callForeign } from './payer-http.js'

const PREFIX = 'tgrin'
/** A receiver this old or one that does not speak V4 is not sent to. */
const OLDEST_API = 2

export interface ForeignPayerParts {
  readonly payer: Pick<SandboxPayer, 'payOver' | 'ready'>
  /** http://127.0.0.1:port, where the onion service ends. */
  readonly foreignUrl: string
}

/** Throws SANDBOX_FOREIGN_REFUSED with the till's error text. */
export function createForeignPayer({ payer, foreignUrl }: ForeignPayerParts) {
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
