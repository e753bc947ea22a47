import { Flags } from '@oclif/core'
import { examplesOf, NameCommand, nameArg, reasonFlag } from '../../cli/index.js'

export default class NameSuspend extends NameCommand {
  static override summary = 'stop a name from resolving, or lift the suspension'
  static override description = 'Until --lift the holder keeps the name but cannot release, offer, sell or exchange it.'
  static override examples = examplesOf(
    'alice --reason "reported, looking into it"',
    'alice --lift --reason "was a mistake"',
  )
  static override args = { name: nameArg }
  static override flags = { ...reasonFlag, lift: Flags.boolean({ description: 'end the suspension', default: false }) }

  async run() {
    const { args, flags } = await this.parse(NameSuspend)
    const { reason, lift } = flags
    const { editNames } = await import('../../daemons/name-admin.js')
    const done = await editNames(await this.nameSettings(flags), (admin) =>
      admin.suspend(args.name, { reason, suspended: !lift }),
    )
    const now = lift ? 'resolves' : 'is suspended'
    this.log(flags.quiet ? done.name : `${done.name} ${now}${done.changed ? ' now' : ' as before; nothing changed'}`)
    this.say(
      lift
        ? `next: grinpay name show ${done.name}`
        : `to end it: grinpay name suspend ${done.name} --lift --reason TEXT`,
    )
    return done
  }
}
