import { confirm, examplesOf, NameCommand, nameArg, reasonFlag, yesFlag } from '../../cli/index.js'

export default class NameRelease extends NameCommand {
  static override summary = 'release a name on behalf of its holder'
  static override description =
    'For a holder who asks for it, for example after losing the key. No cooldown: the key may claim another name at once, and any key may claim this one.'
  static override examples = examplesOf(
    'alice --reason "asked for it, lost the key"',
    'alice --reason "asked for it" --yes --json',
  )
  static override args = { name: nameArg }
  static override flags = { ...reasonFlag, ...yesFlag }

  async run() {
    const { args, flags } = await this.parse(NameRelease)
    const { editNames } = await import('../../daemons/name-admin.js')
    const done = await editNames(await this.nameSettings(flags), async (admin) => {
      const { name, npub, pubkey } = await admin.held(args.name)
      const what = `Releasing ${name} (held by ${npub})`
      await confirm(what, `release ${name}`, flags)
      return admin.release(name, { reason: flags.reason, holder: pubkey })
    })
    this.log(flags.quiet ? done.name : `${done.name} is released; ${done.npub} has no cooldown`)
    this.say(`anybody may claim it now; to keep it back: grinpay name reserve ${done.name} --reason TEXT`)
    return done
  }
}
