// The ways to pay an invoice, from the tabs of the payment rails, and the commands for people with a terminal (specification: invoicing, 2.5). Pure.
import type { TillSettings } from '../api.js'
import type { Invoice } from '../model.js'
import type { CheckoutTab, Offered } from '../rail.js'
import { PASTE_TAB } from '../slatepack/rail.js'
import type { Translator } from './texts/index.js'

/** Which of the offered tabs this invoice can be paid in. Never empty: with nothing usable the payer can still paste. */
export function usableTabs(
  tabs: readonly CheckoutTab[],
  invoice: Invoice,
  offered: Offered,
): readonly [CheckoutTab, ...CheckoutTab[]] {
  const [first = PASTE_TAB, ...others] = tabs.filter(({ isUsable }) => isUsable(invoice, offered))
  return [first, ...others]
}

/** The tab that a page shows: the wanted one if it is usable, else the first. */
export const chooseTab = (usable: ReturnType<typeof usableTabs>, wantedMethod: string | undefined): CheckoutTab =>
  usable.find(({ id }) => id === wantedMethod) ?? usable[0]

/** One link per tab, the shown one marked; `page` is the address of the page. */
export const linksOfTabs = (usable: readonly CheckoutTab[], shown: CheckoutTab, page: string, translator: Translator) =>
  usable.map((tab) => ({ name: tab.label(translator), url: `${page}?method=${tab.id}`, shown: tab === shown }))

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

interface TerminalFacts {
  readonly chain: TillSettings['chain']
  readonly invoice: Pick<Invoice, 'id'>
  readonly address: string
  /** The amount for people. */
  readonly grin: string
  readonly tab: CheckoutTab
  readonly translator: Translator
}

/** The commands for a plain send; undefined where a terminal has none for this tab. */
export function terminalFor({
  chain,
  invoice,
  address,
  grin,
  tab,
  translator,
}: TerminalFacts): TerminalCommands | undefined {
  if (tab.terminal === undefined) return undefined
  if (chain === 'sandbox')
    return {
      title: translator.text('sandboxTitle'),
      send: `grinpay sandbox pay ${invoice.id} --rail ${tab.terminal.rail}`,
      after: translator.text('sandboxAfter'),
      finalize: '',
    }
  if (!tab.terminal.hasSend) return undefined
  const wallet = GRIN_WALLETS[chain]
  return {
    title: translator.text('terminalTitle'),
    send: `${wallet} send -d ${address} ${grin}`,
    after: translator.text('terminalAfter'),
    finalize: `${wallet} finalize`,
  }
}

/** The command that answers an invoice slatepack; empty where there is no such wallet. */
export const payCommand = (chain: TillSettings['chain']): string =>
  chain === 'sandbox' ? '' : `${GRIN_WALLETS[chain]} pay`

/** How the form of a tab is labelled, and where it goes: the page it came from keeps its tab. Undefined for a tab without a form. */
export const formOf = ({ id, form }: CheckoutTab, paste: string, { text }: Translator) =>
  form && { action: id === PASTE_TAB.id ? paste : `${paste}?method=${id}`, button: text(form) }
