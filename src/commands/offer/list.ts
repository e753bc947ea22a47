import { Flags } from '@oclif/core'
import type { OfferView } from '../../authority/admin/index.js'
import { type Column, examplesOf, NameCommand, pageFlags } from '../../cli/index.js'

export const COLUMNS: readonly Column<OfferView>[] = [
  { title: 'OFFER', id: true, value: ({ offer_id }) => offer_id },
  { title: 'NAME', value: ({ name }) => name },
  { title: 'STATUS', value: ({ status }) => status },
  { title: 'PRICE', value: ({ price_grin }) => `${price_grin} GRIN` },
  { title: 'EXPIRES', value: ({ expires_at }) => expires_at, spare: 2 },
  { title: 'SELLER', value: ({ seller_npub }) => seller_npub, shrinks: true, spare: 1 },
  { title: 'BUYER', value: ({ buyer_npub }) => buyer_npub, shrinks: true, spare: 0 },
]

export default class OfferList extends NameCommand {
  static override summary = 'list offers of names, newest first'
  static override examples = examplesOf('--status live', '--name alice --json')
  static override flags = {
    ...pageFlags,
    status: Flags.option({
      options: ['live', 'consumed', 'revoked', 'expired'] as const,
      description: 'only this status',
    })(),
    name: Flags.string({ description: 'only this name', helpValue: 'NAME' }),
  }

  async run() {
    const { flags } = await this.parse(OfferList)
    const { status, name } = flags
    const settings = await this.nameSettings(flags)
    const { chainOfPrices, readNames } = await import('../../daemons/name-admin.js')
    const found = await readNames(settings, (admin) =>
      this.logPages((page) => admin.offers({ status, name }, page), flags, COLUMNS),
    )
    if (!flags.quiet && (flags.all || found.items.length > 0)) await this.learnChain(() => chainOfPrices(settings))
    return found
  }
}
