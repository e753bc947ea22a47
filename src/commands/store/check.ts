import { NameCommand } from '../../cli/index.js'

export default class StoreCheck extends NameCommand {
  static override summary = 'check that the names in PostgreSQL can be read and written'
  static override description =
    'Connects as the name authority does, waits for a standby and writes. The nodes one by one: grinpay doctor --daemon nameauth --check cluster.'
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json']
  static override enableJsonFlag = true

  async run() {
    const { flags } = await this.parse(StoreCheck)
    const { checkStore } = await import('../../daemons/store-admin.js')
    const settings = await this.nameSettings(flags)
    const found = await this.waiting('asking the database', () => checkStore(settings))
    this.log(`${found.target}: writable, ${found.names} names`)
    return found
  }
}
