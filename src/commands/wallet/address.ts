import { ApiCommand, examplesOf } from '../../cli/index.js'

interface Known {
  readonly address: string
  readonly npub: string | null
  readonly chain: string
}

export default class WalletAddress extends ApiCommand {
  static override summary = "print the till's own Grin address"
  static override description = "If the daemon does not run, reads the till's files on this machine."
  static override examples = examplesOf('', '--json')

  async run() {
    const { flags } = await this.parse(WalletAddress)
    const found = await this.askOrLook(
      flags,
      async (api): Promise<Known> => {
        const { wallet_address: address, npub, chain } = await api.status()
        return { address, npub, chain }
      },
      async (environment): Promise<Known> => {
        const { localAddressOf } = await import('../../wizard/index.js')
        // The Nostr key is sealed: only the daemon tells it.
        return { npub: null, ...(await localAddressOf(environment)) }
      },
    )
    this.log(found.address)
    return found
  }
}
