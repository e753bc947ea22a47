import { ApiCommand, type Column, examplesOf } from '../../cli/index.js'

interface Row {
  readonly state: string
  readonly count: number
  readonly amount_grin: string
}

interface Sums {
  readonly balance: Readonly<Record<string, Omit<Row, 'state'>>>
}

const COLUMNS: readonly Column<Row>[] = [
  { title: 'STATE', value: ({ state }) => state },
  { title: 'PAYMENTS', value: ({ count }) => count },
  { title: 'GRIN', value: ({ amount_grin }) => amount_grin },
]

export default class WalletBalance extends ApiCommand {
  static override summary = 'show the wallet balance by settlement state'
  static override description =
    "The till only receives: it does not see what the same seed spends elsewhere. If the daemon does not run, reads the till's files on this machine."
  static override examples = examplesOf('', '--json')

  async run() {
    const { flags } = await this.parse(WalletBalance)
    const { balance } = await this.askOrLook(
      flags,
      (api): Promise<Sums> => api.status(),
      async (environment): Promise<Sums> => {
        const { localBalance } = await import('../../wizard/index.js')
        return localBalance(environment)
      },
    )
    // The exact digits: a sum in nanogrin outgrows what JSON readers keep.
    const items = Object.entries(balance).map(([state, { count, amount_grin }]) => ({ state, count, amount_grin }))
    if (flags.quiet) this.log(balance.confirmed?.amount_grin ?? '0')
    else this.logTable(items, COLUMNS)
    return { items, next: null }
  }
}
