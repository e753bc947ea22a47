import { ApiCommand } from '../../cli/index.js'

export default class WalletAddress extends ApiCommand {
  static override summary = "print the till's own Grin address"
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json']
  static override enableJsonFlag = true

  async run() {
    const { flags } = await this.parse(WalletAddress)
    const api = await this.api(flags)
    const { wallet_address, npub, chain } = await api.status()
    this.log(wallet_address)
    return { address: wallet_address, npub, chain }
  }
}
