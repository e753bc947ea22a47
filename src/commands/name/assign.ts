import { Args, Flags } from '@oclif/core'
import { examplesOf, NameCommand, nameArg, reasonFlag } from '../../cli/index.js'

export default class NameAssign extends NameCommand {
  static override summary = 'assign a name to a key: no price, no cooldown, reserved or not'
  static override description =
    'The name _ is the domain itself: clients show _@your.domain as your.domain. Only this command gives it.'
  static override examples = examplesOf(
    'support npub1… --reason "our own desk"',
    '_ npub1… --reason "the domain itself"',
    'alice npub1… --replace --reason "asked for a change" --json',
  )
  static override args = {
    name: nameArg,
    key: Args.string({ required: true, description: 'public key, npub or 64 hex' }),
  }
  static override flags = {
    ...reasonFlag,
    replace: Flags.boolean({ description: "release the key's current name", default: false }),
  }

  async run() {
    const { args, flags } = await this.parse(NameAssign)
    const { editNames } = await import('../../daemons/name-admin.js')
    const done = await editNames(await this.nameRules(flags), (admin) =>
      admin.assign(args.name, args.key, { reason: flags.reason, replace: flags.replace }),
    )
    const { name, npub, changed, released } = done
    const text = changed ? `${name} belongs to ${npub} now` : `${name} belonged to ${npub} before; nothing changed`
    this.log(flags.quiet ? name : text)
    if (released !== null) this.say(`${released} was released: anybody may claim it`)
    this.say(`next: grinpay name show ${name}`)
    return done
  }
}
