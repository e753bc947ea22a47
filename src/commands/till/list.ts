import { BaseCommand, type Column, examplesOf, openProfiles } from '../../cli/index.js'

interface ListedTill {
  readonly name: string
  readonly used: boolean
  readonly url: string
  readonly token_file: string | null
  readonly admin_token_file: string | null
}

export const COLUMNS: readonly Column<ListedTill>[] = [
  { title: 'NAME', id: true, value: ({ name }) => name },
  { title: 'USED', value: ({ used }) => (used ? 'yes' : '') },
  { title: 'ADDRESS', value: ({ url }) => url, shrinks: true },
  { title: 'TOKEN FILE', value: ({ token_file }) => token_file, shrinks: true },
  { title: 'ADMIN TOKEN FILE', value: ({ admin_token_file }) => admin_token_file, shrinks: true, spare: 0 },
]

export default class TillList extends BaseCommand {
  static override summary = 'list saved tills'
  static override examples = examplesOf('', '--json')
  static override enableJsonFlag = true

  async run() {
    const { flags } = await this.parse(TillList)
    const { readProfiles } = await openProfiles()
    const { used, tills } = await readProfiles()
    const items = Object.entries(tills).map(([name, { url, token_file = null, admin_token_file = null }]) => ({
      ...{ name, url, token_file, admin_token_file },
      used: name === used,
    }))
    return this.logItems(items, flags, COLUMNS)
  }
}
