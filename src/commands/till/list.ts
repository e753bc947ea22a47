import { BaseCommand, openProfiles } from '../../cli/index.js'

export default class TillList extends BaseCommand {
  static override summary = 'list the tills that have a name'
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json']
  static override enableJsonFlag = true

  async run() {
    const { flags } = await this.parse(TillList)
    const { readProfiles } = await openProfiles()
    const { used, tills } = await readProfiles()
    const items = Object.entries(tills).map(([name, { url, token_file = null, admin_token_file = null }]) => ({
      ...{ name, url, token_file, admin_token_file },
      used: name === used,
    }))
    if (flags.quiet) for (const { name } of items) this.log(name)
    else
      this.logTable(items, [
        { title: 'NAME', value: ({ name }) => name },
        { title: 'USED', value: (till) => (till.used ? 'yes' : '') },
        { title: 'ADDRESS', value: ({ url }) => url, shrinks: true },
        { title: 'TOKEN FILE', value: ({ token_file }) => token_file, shrinks: true },
        { title: 'ADMIN TOKEN FILE', value: ({ admin_token_file }) => admin_token_file, shrinks: true },
      ])
    return { items, next: null }
  }
}
