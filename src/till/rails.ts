// The table of payment rails. To add a rail: its folder with a `PaymentRail`, its line here, and a migration if it stores something of its own.
import { grin1Rail } from './grin1/rail.js'
import type { RailName } from './model.js'
import { nostrRail } from './nostr/rail.js'
import type { CheckoutTab, PayLinks, PaymentRail } from './rail.js'
import { slatepackRail } from './slatepack/rail.js'

export const PAYMENT_RAILS: readonly PaymentRail[] = [slatepackRail, nostrRail, grin1Rail]

export const RAIL_NAMES: readonly RailName[] = PAYMENT_RAILS.map(({ name }) => name)

/** The tabs of the checkout page that these rails have, in their order. */
export const tabsOf = (table: readonly PaymentRail[]): readonly CheckoutTab[] =>
  table.flatMap(({ tabs = [] }) => tabs).sort((a, b) => a.position - b.position)

/** The values of `method` in the address of the page. */
export const TAB_IDS: readonly string[] = tabsOf(PAYMENT_RAILS).map(({ id }) => id)

/** What a rail can say of itself with one word. */
type Ability = 'isPasted' | 'finalizes' | 'issuesSlate' | 'takesPlainSends'

const NO_LINKS: PayLinks = { payLink: '', qrSvg: '' }

/** What all rails of the table contribute together, in its order. */
export function createRails(table: readonly PaymentRail[]) {
  const byName = new Map(table.map((rail) => [rail.name, rail]))
  return {
    /** Whether this rail says so; false for an invoice without one. */
    can: (name: RailName | null, ability: Ability): boolean => byName.get(name ?? '')?.[ability] === true,
    /** The rail that says so. Throws when none does. */
    thatCan(ability: Ability): RailName {
      const rail = table.find((one) => one[ability])
      if (!rail) throw new Error(`no payment rail ${ability}`)
      return rail.name
    },
    /** Throws for a name that is not in the table: nothing is stored under one. */
    named(name: RailName): PaymentRail {
      const rail = byName.get(name)
      if (!rail) throw new Error(`there is no payment rail "${name}"`)
      return rail
    },
    /** The rail that a new invoice offers beyond the ways that every invoice has; null: none. */
    offeredUnder: (settings: Parameters<NonNullable<PaymentRail['isOffered']>>[0]): RailName | null =>
      table.find(({ isOffered }) => isOffered?.(settings))?.name ?? null,
    /** Those of the first rail that has them. */
    linksOf: (...invoice: Parameters<NonNullable<PaymentRail['linksOf']>>): PayLinks =>
      table.find(({ linksOf }) => linksOf)?.linksOf?.(...invoice) ?? NO_LINKS,
    messagesOnReceipt: (...payment: Parameters<NonNullable<PaymentRail['messagesOnReceipt']>>) =>
      table.flatMap(({ messagesOnReceipt }) => messagesOnReceipt?.(...payment) ?? []),
    messagesOnConfirmation: (...settings: Parameters<NonNullable<PaymentRail['messagesOnConfirmation']>>) =>
      table.flatMap(({ messagesOnConfirmation }) => messagesOnConfirmation?.(...settings) ?? []),
  }
}

export type Rails = ReturnType<typeof createRails>
