import { Args, Flags } from '@oclif/core'
import type { HistoryView } from '../../authority/admin/index.js'
import { type Column, examplesOf, NameCommand, pageFlags } from '../../cli/index.js'

export const COLUMNS: readonly Column<HistoryView>[] = [
  { title: 'AT', value: ({ at }) => at },
  { title: 'ACTION', value: ({ action }) => action },
  { title: 'NAME', id: true, value: ({ name }) => name ?? '-' },
  { title: 'BY', value: ({ actor }) => actor, spare: 2 },
  { title: 'NPUB', value: ({ npub }) => npub ?? '-', shrinks: true, spare: 1 },
  { title: 'REASON', value: ({ reason }) => reason ?? '-', shrinks: true, spare: 0 },
]

export default class NameHistory extends NameCommand {
  static override summary = 'show the history of a name, a key, or all names'
  static override description = 'Newest first. Entries never change and are never deleted.'
  static override examples = examplesOf('alice', '--key npub1… --json', '--limit 20')
  static override args = { name: Args.string({ description: 'only this name' }) }
  static override flags = {
    ...pageFlags,
    key: Flags.string({ description: 'only of this key (npub or 64 hex)', helpValue: 'KEY' }),
  }

  async run() {
    const { args, flags } = await this.parse(NameHistory)
    const filter = { name: args.name, pubkey: flags.key }
    const { readNames } = await import('../../daemons/name-admin.js')
    return readNames(await this.nameSettings(flags), (admin) =>
      this.logPages(
        (page) => admin.history(filter, page),
        flags,
        COLUMNS,
        ({ id }) => String(id),
      ),
    )
  }
}
