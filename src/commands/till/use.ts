import { Args, Flags } from '@oclif/core'
import { BaseCommand, examplesOf, openProfiles, usage } from '../../cli/index.js'

export default class TillUse extends BaseCommand {
  static override summary = 'choose the default till for commands'
  static override description =
    'Flags, GRINPAY_URL, GRINPAY_TOKEN_FILE and GRINPAY_ENV_FILE take precedence. Commands that use the default say so on stderr.'
  static override examples = examplesOf('shop', '--none')
  static override enableJsonFlag = true
  static override args = { name: Args.string({ description: 'name in "till list"' }) }
  static override flags = { none: Flags.boolean({ description: 'clear the default: use the till of this machine' }) }

  async run() {
    const { args, flags } = await this.parse(TillUse)
    const { name } = args
    if ((name === undefined) !== (flags.none === true)) throw usage('name one till, or say --none')
    const { useProfile } = await openProfiles()
    const { used } = await useProfile(name ?? null)
    this.log(used ?? 'none')
    return { used }
  }
}
