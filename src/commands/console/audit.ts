import { type Column, ConsoleCommand, examplesOf, pageFlags } from '../../cli/index.js'
import type { AuditView } from '../../daemons/console-admin.js'

const valuesOf = ({ values }: AuditView): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ') || '-'

const COLUMNS: readonly Column<AuditView>[] = [
  { title: 'AT', value: ({ at }) => at },
  { title: 'WHO', value: ({ person }) => person },
  { title: 'ACTION', id: true, value: ({ action }) => action },
  { title: 'ON', value: ({ object }) => object || '-', shrinks: true, spare: 2 },
  { title: 'VALUES', value: valuesOf, shrinks: true, spare: 1 },
  { title: 'OUTCOME', value: ({ outcome }) => outcome ?? 'not finished' },
]

export default class ConsoleAudit extends ConsoleCommand {
  static override summary = 'show who changed what in the console'
  static override description = 'Newest first. Entries never change and are never deleted.'
  static override examples = examplesOf('', '--all --json')
  static override flags = pageFlags

  async run() {
    const { flags } = await this.parse(ConsoleAudit)
    const { path } = await this.consoleSettings(flags)
    const { readAudit } = await import('../../daemons/console-admin.js')
    return readAudit(path, (page) => this.logPages(page, flags, COLUMNS, ({ id }) => String(id)))
  }
}
