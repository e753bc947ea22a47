import { type Column, examplesOf, NameCommand, storeFlag } from '../../cli/index.js'
import type { InstanceView } from '../../daemons/store-admin.js'

const COLUMNS: readonly Column<InstanceView>[] = [
  { title: 'ID', id: true, value: ({ id }) => id },
  { title: 'DAEMON', value: ({ daemon }) => daemon, spare: 1 },
  { title: 'HOST', value: ({ host }) => host, shrinks: true },
  { title: 'VERSION', value: ({ version }) => version },
  { title: 'STATE', value: ({ state }) => state, tint: ({ state }) => (state === 'silent' ? 'red' : undefined) },
  { title: 'DOES', value: ({ leases }) => leases.join(' ') || '-', spare: 1 },
  { title: 'STARTED', value: ({ started }) => started, spare: 3 },
  { title: 'SEEN', value: ({ seen }) => seen, spare: 2 },
  { title: 'CLOCK', value: ({ clock_ahead_ms }) => `${(clock_ahead_ms / 1000).toFixed(1)} s`, spare: 0 },
]

export default class InstanceList extends NameCommand {
  static override summary = 'list the processes that share names, a till or a log of relays in PostgreSQL'
  static override description =
    'Every running daemon sends a heartbeat every ten seconds and removes its row when it stops; "silent" ones have sent none for 30 s, and are forgotten after a day. CLOCK: how far its clock is ahead of the database. DOES: jobs that only one of them does (of a till "rails": Nostr, own relay, onion service). Differences between them: grinpay doctor --daemon nameauth --check cluster.'
  static override examples = examplesOf('', '--quiet', '--daemon pay', '--json')
  static override flags = storeFlag

  async run() {
    const { flags } = await this.parse(InstanceList)
    const { listInstances } = await import('../../daemons/store-admin.js')
    const settings = await this.storeSettings(flags)
    const items = await this.waiting('asking the database', () => listInstances(settings))
    return this.logItems(items, flags, COLUMNS)
  }
}
