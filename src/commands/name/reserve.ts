import { examplesOf, NameCommand, nameArg, reasonFlag } from '../../cli/index.js'

export default class NameReserve extends NameCommand {
  static override summary = 'reserve a name and everything that looks like it'
  static override description = 'No key can claim it, but a present holder keeps it. Only "name assign" assigns it.'
  static override examples = examplesOf('acme --reason "trade mark"', 'acme --reason "trade mark" --json')
  static override args = { name: nameArg }
  static override flags = { ...reasonFlag }

  async run() {
    const { args, flags } = await this.parse(NameReserve)
    const { editNames } = await import('../../daemons/name-admin.js')
    const done = await editNames(await this.nameRules(flags), (admin) => admin.reserve(args.name, flags.reason))
    const text = done.changed ? `${done.name} is reserved now` : `${done.name} was reserved before; nothing changed`
    this.log(flags.quiet ? done.name : text)
    this.say(`next: grinpay name show ${done.name}`)
    return done
  }
}
