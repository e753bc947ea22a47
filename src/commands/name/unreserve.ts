import { examplesOf, NameCommand, nameArg, reasonFlag } from '../../cli/index.js'

export default class NameUnreserve extends NameCommand {
  static override summary = 'allow a reserved name to be claimed again'
  static override description =
    'For names reserved by "name reserve" or "name evict --reserve"; the built-in list stays.'
  static override examples = examplesOf('acme --reason "the company is gone"', 'acme --reason "by mistake" -q')
  static override args = { name: nameArg }
  static override flags = { ...reasonFlag }

  async run() {
    const { args, flags } = await this.parse(NameUnreserve)
    const { editNames } = await import('../../daemons/name-admin.js')
    const done = await editNames(await this.nameRules(flags), (admin) => admin.unreserve(args.name, flags.reason))
    this.log(flags.quiet ? done.name : `${done.name} is no longer reserved`)
    this.say(`next: grinpay name show ${done.name}`)
    return done
  }
}
