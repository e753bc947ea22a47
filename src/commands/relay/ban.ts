import { Args } from '@oclif/core'
import { exactlyOne, examplesOf, RelayCommand, reasonOf, relayListFlags, relayListTable } from '../../cli/index.js'

/** What each word is put on. */
const LIST = { key: 'bannedKeys', kind: 'bannedKinds', address: 'blockedAddresses', event: 'bannedEvents' } as const

export default class RelayBan extends RelayCommand {
  static override summary = 'refuse a key, kind, address or event'
  static override description =
    'Removes a banned event; keeps what a banned key published before. A running relay follows within seconds. relay-audit.jsonl beside the database records every change.'
  static override examples = examplesOf(
    'npub1… --reason "spam"',
    '--address 203.0.113.0/24 --reason "flood"',
    '--event 5e2f… --reason "court order 12/26" --json',
    'npub1… --remove --reason "made up"',
    '--list',
  )
  static override args = { key: Args.string({ description: 'a key, as npub or 64 hex' }) }
  static override flags = relayListFlags

  async run() {
    const { args, flags } = await this.parse(RelayBan)
    const dbPath = await this.relayDatabase(flags)
    const { changeRelayLists, showRelayLists } = await import('../../daemons/relay-lists.js')
    if (flags.list) {
      const items = await showRelayLists(dbPath, Object.values(LIST))
      this.logTable(items, relayListTable)
      return { items, next: null }
    }
    const { kind, address, event } = flags
    const { name, text } = exactlyOne({ key: args.key, kind, address, event })
    const reason = reasonOf(flags.reason)
    const done = await changeRelayLists(dbPath, {
      ...{ list: LIST[name], entry: text, reason },
      do: flags.remove ? 'remove' : 'add',
    })
    const state = `${done.listed ? 'is banned' : 'is not banned'}${done.changed ? ' now' : ', as before'}`
    this.log(flags.quiet ? done.entry : `${name} ${done.entry} ${state}`)
    return done
  }
}
