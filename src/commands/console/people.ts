import { type Column, ConsoleCommand, examplesOf } from '../../cli/index.js'
import type { PersonView } from '../../daemons/console-admin.js'

const COLUMNS: readonly Column<PersonView>[] = [
  { title: 'NAME', id: true, value: ({ name }) => name },
  { title: 'ROLE', value: ({ role }) => role },
  { title: 'SINCE', value: ({ created_at }) => created_at },
  { title: 'PASSKEYS', value: ({ passkeys }) => passkeys },
  { title: 'LAST SIGN-IN', value: ({ used_at }) => used_at ?? '-' },
]

export default class ConsolePeople extends ConsoleCommand {
  static override summary = 'list people who sign in to the console by passkey'
  static override examples = examplesOf('', '--json')

  async run() {
    const { flags } = await this.parse(ConsolePeople)
    const { path } = await this.consoleSettings(flags)
    const { listPeople } = await import('../../daemons/console-admin.js')
    return this.logItems(await listPeople(path), flags, COLUMNS)
  }
}
