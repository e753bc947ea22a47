import { confirm, NameCommand, yesFlag } from '../../cli/index.js'

export default class StoreAdopt extends NameCommand {
  static override summary = 'accept a database that has lost changes'
  static override description =
    'After DATABASE_WENT_BACK: when no node has the lost changes any more, the name authority on this machine starts again with what there is. Run it on every machine that reports the loss.'
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --yes --json']
  static override enableJsonFlag = true
  static override flags = yesFlag

  async run() {
    const { flags } = await this.parse(StoreAdopt)
    const { adoptStore } = await import('../../daemons/store-admin.js')
    const settings = await this.nameSettings(flags)
    const what = 'Going on without the changes that were lost'
    await confirm({ what, word: 'adopt', yes: flags.yes, noInput: flags['no-input'] })
    const adopted = await adoptStore(settings)
    this.log(adopted ? 'accepted; next: start the name authority' : 'this machine has reported no loss')
    return { adopted }
  }
}
