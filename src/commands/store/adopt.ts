import { Flags } from '@oclif/core'
import { confirm, examplesOf, NameCommand, rowsFlag, yesFlag } from '../../cli/index.js'

export default class StoreAdopt extends NameCommand {
  static override summary = 'accept a database that has lost changes'
  static override description =
    'After DATABASE_WENT_BACK: when no node has the lost changes any more, the daemon on this machine starts with the data that remains. Run it on every machine that reports the loss. With --daemon pay the key counter is raised and every open invoice slate is closed; with --restored also when this machine has reported no loss, as after a restore of the database: stop every instance first.'
  static override examples = examplesOf('', '--yes --json')
  static override flags = {
    ...rowsFlag,
    restored: Flags.boolean({ description: 'of a till: the database came from a backup', default: false }),
    ...yesFlag,
  }

  async run() {
    const { flags } = await this.parse(StoreAdopt)
    const { adoptStore } = await import('../../daemons/store-admin.js')
    const settings = await this.storeSettings(flags)
    const what = 'Going on without the changes that were lost'
    await confirm(what, 'adopt', flags)
    const outcome = await adoptStore(settings, { isRestored: flags.restored })
    const { adopted, next_key: keys } = outcome
    if (keys)
      this.log(
        `the key counter stood at ${keys.before} and was raised to ${keys.after}: no key of before is used again; open invoice slates are closed`,
      )
    this.log(adopted ? 'accepted; next: start the daemon' : 'this machine has reported no loss')
    return outcome
  }
}
