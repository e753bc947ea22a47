// The ways to pay an invoice, in the order of their tabs, and what each shows beside the amount (specification: invoicing, 2.5). Pure.
import { qrSvg } from '../../lib/qr.js'
import type { TillSettings } from '../api.js'
import type { Invoice } from '../model.js'
import type { Translator } from './texts/index.js'
import type { TextKey } from './texts/types.js'

/**
 * `goblin`: a Nostr wallet; `invoice`: our own slatepack (I1), answered over Tor or by paste; `address`: a plain send to the
 * till's address over Tor; `slatepack`: a pasted payment (S1).
 */
export const CHECKOUT_METHODS = ['goblin', 'invoice', 'address', 'slatepack'] as const
export type CheckoutMethod = (typeof CHECKOUT_METHODS)[number]

const NAMES: Readonly<Record<CheckoutMethod, TextKey>> = {
  goblin: 'tabGoblin',
  invoice: 'tabInvoice',
  address: 'tabAddress',
  slatepack: 'tabSlatepack',
}

/** Methods with a form: what is typed there must outlive every reload, so only the status lives in a frame. */
export const hasForm = (method: CheckoutMethod): boolean => method === 'invoice' || method === 'slatepack'

export interface Offered {
  /** The methods that the operator offers; `slatepack` stands for all three of Grin's own. */
  readonly methods: readonly CheckoutMethod[]
  /** Whether the bare address alone tells which invoice is paid. */
  readonly plainSend: boolean
}

/** Which of the offered ways this invoice can be paid in, by tab. */
const USABLE: Readonly<Record<CheckoutMethod, (invoice: Invoice, offered: Offered) => boolean>> = {
  goblin: (_, { methods }) => methods.includes('goblin'),
  invoice: ({ offeredRail, slatepack }, { methods }) =>
    methods.includes('slatepack') && offeredRail !== null && slatepack !== null,
  address: (_, { methods, plainSend }) => methods.includes('slatepack') && plainSend,
  slatepack: (_, { methods }) => methods.includes('slatepack'),
}

/** Never empty: with nothing usable the payer can still paste. */
export function methodsFor(invoice: Invoice, offered: Offered): readonly CheckoutMethod[] {
  const usable = CHECKOUT_METHODS.filter((method) => USABLE[method](invoice, offered))
  return usable.length > 0 ? usable : ['slatepack']
}

/** The method a page shows: the wanted one if it is usable, else the first. */
export const chooseMethod = (usable: readonly CheckoutMethod[], wantedMethod: string | undefined): CheckoutMethod =>
  usable.find((method) => method === wantedMethod) ?? usable[0] ?? 'slatepack'

/** One tab per method, the shown one marked; `page` is the address of the page. */
export const tabsOf = (usable: readonly CheckoutMethod[], shown: CheckoutMethod, page: string, { text }: Translator) =>
  usable.map((one) => ({ name: text(NAMES[one]), url: `${page}?method=${one}`, shown: one === shown }))

/** The same step for people who have their wallet in a terminal. */
export interface TerminalCommands {
  readonly title: string
  readonly send: string
  readonly after: string
  readonly finalize: string
}

const GRIN_WALLETS: Readonly<Record<Exclude<TillSettings['chain'], 'sandbox'>, string>> = {
  mainnet: 'grin-wallet',
  testnet: 'grin-wallet --testnet',
  usernet: 'grin-wallet --usernet',
}

/** The rails that `grinpay sandbox pay` has for these methods; the sandbox's wallet answers no invoice slatepack. */
const SANDBOX_RAILS: Readonly<Partial<Record<CheckoutMethod, string>>> = {
  goblin: 'nostr',
  address: 'grin1',
  slatepack: 'slatepack',
}

interface TerminalFacts {
  readonly chain: TillSettings['chain']
  readonly invoice: Pick<Invoice, 'id'>
  readonly address: string
  /** The amount for people. */
  readonly grin: string
  readonly method: CheckoutMethod
  readonly translator: Translator
}

/** The commands for a plain send; undefined where a terminal has none for this method. */
export function terminalFor({
  chain,
  invoice,
  address,
  grin,
  method,
  translator,
}: TerminalFacts): TerminalCommands | undefined {
  const rail = SANDBOX_RAILS[method]
  if (chain === 'sandbox')
    return rail === undefined
      ? undefined
      : {
          title: translator.text('sandboxTitle'),
          send: `grinpay sandbox pay ${invoice.id} --rail ${rail}`,
          after: translator.text('sandboxAfter'),
          finalize: '',
        }
  if (method === 'goblin') return undefined
  const wallet = GRIN_WALLETS[chain]
  return {
    title: translator.text('terminalTitle'),
    send: `${wallet} send -d ${address} ${grin}`,
    after: translator.text('terminalAfter'),
    finalize: `${wallet} finalize`,
  }
}

/** The command that answers an invoice slatepack; empty where there is no such wallet. */
const payCommand = (chain: TillSettings['chain']): string => (chain === 'sandbox' ? '' : `${GRIN_WALLETS[chain]} pay`)

/** What one method shows; codes are drawn only for the method that is shown, and are empty when the text does not fit. */
export function methodView(
  method: CheckoutMethod,
  invoice: Invoice,
  { address, chain }: { readonly address: string; readonly chain: TillSettings['chain'] },
  { text }: Translator,
) {
  const i1 = method === 'invoice' ? (invoice.slatepack ?? '') : ''
  return {
    i1,
    i1Qr: i1 === '' ? '' : qrSvg(i1, { ariaLabel: text('codeOfInvoice'), level: 'L' }),
    addressQr: method === 'address' ? qrSvg(address, { ariaLabel: text('codeOfAddress') }) : '',
    payCommand: payCommand(chain),
  }
}

/** How the paste form of a method is labelled, and where it goes: the page it came from keeps its tab. */
export const formOf = (method: CheckoutMethod, paste: string, { text }: Translator) =>
  method === 'invoice'
    ? { action: `${paste}?method=invoice`, button: text('handIn') }
    : { action: paste, button: text('getReply') }
