import { Flags } from '@oclif/core'
import type { GrantView } from '../../authority/admin/index.js'
import { type Column, examplesOf, NameCommand, pageFlags } from '../../cli/index.js'

export const COLUMNS: readonly Column<GrantView>[] = [
  { title: 'INVOICE', id: true, value: ({ invoice_id }) => invoice_id },
  { title: 'FOR', value: ({ resource }) => resource, spare: 1 },
  { title: 'STATUS', value: ({ status }) => status },
  { title: 'PRICE', value: ({ price_grin }) => `${price_grin} GRIN` },
  { title: 'CREATED', value: ({ created_at }) => created_at, spare: 2 },
  { title: 'NPUB', value: ({ npub }) => npub, shrinks: true, spare: 0 },
]

export default class GrantList extends NameCommand {
  static override summary = 'list grants, paid and pending, newest first'
  static override description = 'A claim uses up a grant for a name; a grant to write to a relay stays.'
  static override examples = examplesOf('--status paid', '--pubkey npub1… --json')
  static override flags = {
    ...pageFlags,
    status: Flags.option({ options: ['pending', 'paid'] as const, description: 'only these' })(),
    pubkey: Flags.string({ description: 'only of this key (npub or 64 hex)', helpValue: 'KEY' }),
  }

  async run() {
    const { flags } = await this.parse(GrantList)
    const { status, pubkey } = flags
    const settings = await this.nameSettings(flags)
    const { chainOfPrices, readNames } = await import('../../daemons/name-admin.js')
    const found = await readNames(settings, (admin) =>
      this.logPages((page) => admin.grants({ status, pubkey }, page), flags, COLUMNS),
    )
    if (!flags.quiet && (flags.all || found.items.length > 0)) await this.learnChain(() => chainOfPrices(settings))
    return found
  }
}
