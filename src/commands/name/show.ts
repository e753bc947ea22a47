import { Args } from '@oclif/core'
import type { HistoryView, NameStatusView } from '../../authority/admin/index.js'
import { type Column, examplesOf, type Fact, facts, NameCommand } from '../../cli/index.js'

const COLUMNS: readonly Column<HistoryView>[] = [
  { title: 'AT', value: ({ at }) => at },
  { title: 'ACTION', value: ({ action }) => action },
  { title: 'BY', value: ({ actor }) => actor },
  { title: 'NPUB', value: ({ npub }) => npub ?? '-', shrinks: true },
  { title: 'REASON', value: ({ reason }) => reason ?? '-', shrinks: true },
]

export default class NameShow extends NameCommand {
  static override summary = 'show everything known about a name'
  static override description =
    'State (free, reserved, taken by a look-alike, active or suspended) with its reason, holder, live offer and newest history.'
  static override examples = examplesOf('alice', 'npub1…', 'alice --json')
  static override args = { name: Args.string({ required: true, description: 'a name, or the key that holds it' }) }

  async run() {
    const { args, flags } = await this.parse(NameShow)
    const settings = await this.nameRules(flags)
    const { chainOfPrices, readNames } = await import('../../daemons/name-admin.js')
    const status = await readNames(settings, (admin) => admin.show(args.name))
    if (flags.quiet) {
      this.log(status.name)
      return status
    }
    if (status.offer) await this.learnChain(() => chainOfPrices(settings))
    this.log(facts(factsOf(status)))
    this.logTable(status.history, COLUMNS)
    return status
  }
}

const factsOf = ({ name, state, why, record, cooldown_until, offer }: NameStatusView): readonly Fact[] => [
  ['name', name],
  ['state', state],
  // Of a held name the holder says it all.
  ['why', state === 'active' || state === 'suspended' ? null : why],
  [record?.status === 'released' ? 'last holder' : 'holder', record?.npub],
  ['as hex', record?.pubkey],
  ['since', record?.created_at],
  ['suspended', record?.suspended_at],
  ['released', record?.released_at],
  ['cooldown until', cooldown_until],
  ['offer', offer?.offer_id],
  ['offered to', offer?.buyer_npub],
  ['price', offer ? `${offer.price_grin} GRIN` : null],
  ['offer expires', offer?.expires_at],
]
