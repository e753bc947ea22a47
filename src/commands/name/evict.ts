import { Flags } from '@oclif/core'
import { confirm, examplesOf, NameCommand, nameArg, reasonFlag, yesFlag } from '../../cli/index.js'

export default class NameEvict extends NameCommand {
  static override summary = 'take a name from its holder'
  static override description =
    'The name stops resolving at once. Without --reserve any key may claim it, the former holder included. To stop it only for a while: "name suspend".'
  static override examples = examplesOf(
    'alice --reserve --reason "impersonates the bank"',
    'alice --reason "court order 12/26" --yes --json',
  )
  static override args = { name: nameArg }
  static override flags = {
    ...reasonFlag,
    reserve: Flags.boolean({ description: 'also reserve the name', default: false }),
    ...yesFlag,
  }

  async run() {
    const { args, flags } = await this.parse(NameEvict)
    const { reason, reserve } = flags
    const { editNames } = await import('../../daemons/name-admin.js')
    const done = await editNames(await this.nameSettings(flags), async (admin) => {
      const { name, npub, pubkey } = await admin.held(args.name)
      const what = `Taking ${name} from ${npub}${reserve ? ' and keeping it back' : ''}`
      await confirm(what, `evict ${name}`, flags)
      return admin.evict(name, { reason, reserve, holder: pubkey })
    })
    this.log(flags.quiet ? done.name : `${done.name} was taken from ${done.npub}${reserve ? ' and is reserved' : ''}`)
    const rest = reserve ? 'only "grinpay name assign" can assign it' : 'any key may claim it now'
    this.say(`${rest}; next: grinpay name show ${done.name}`)
    return done
  }
}
