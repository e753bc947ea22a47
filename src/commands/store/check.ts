import { NameCommand, storeFlag } from '../../cli/index.js'

export default class StoreCheck extends NameCommand {
  static override summary = 'check that the rows in PostgreSQL can be read and written'
  static override description =
    'Connects as the daemon does, waits for a standby and writes. The nodes one by one: grinpay doctor --daemon nameauth --check cluster.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --daemon pay --json',
  ]
  static override enableJsonFlag = true
  static override flags = storeFlag

  async run() {
    const { flags } = await this.parse(StoreCheck)
    const { checkStore } = await import('../../daemons/store-admin.js')
    const settings = await this.storeSettings(flags)
    const found = await this.waiting('asking the database', () => checkStore(settings))
    this.log(`${found.target}: writable, ${'names' in found ? `${found.names} names` : `${found.invoices} invoices`}`)
    return found
  }
}
