import { examplesOf, NameCommand, storeFlag } from '../../cli/index.js'
import type { checkStore as CheckStore } from '../../daemons/store-admin.js'

export default class StoreCheck extends NameCommand {
  static override summary = 'check that the rows in PostgreSQL can be read and written'
  static override description =
    'Connects as the daemon does, waits for a standby and writes. The nodes one by one: grinpay doctor --daemon nameauth --check cluster.'
  static override examples = examplesOf('', '--daemon pay --json', '--daemon relay')
  static override flags = storeFlag

  async run() {
    const { flags } = await this.parse(StoreCheck)
    const { checkStore } = await import('../../daemons/store-admin.js')
    const settings = await this.storeSettings(flags)
    const found = await this.waiting('asking the database', () => checkStore(settings))
    this.log(`${found.target}: writable, ${contentOf(found)}`)
    return found
  }
}

function contentOf(found: Awaited<ReturnType<typeof CheckStore>>): string {
  if ('names' in found) return `${found.names} names`
  if ('invoices' in found) return `${found.invoices} invoices`
  return `${found.entries} entries, ${found.front_ends} front ends`
}
