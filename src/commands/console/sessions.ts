import { Flags } from '@oclif/core'
import { type Column, ConsoleCommand, examplesOf } from '../../cli/index.js'
import type { SessionView } from '../../daemons/console-admin.js'

const COLUMNS: readonly Column<SessionView>[] = [
  { title: 'ID', id: true, value: ({ id }) => id },
  { title: 'NAME', value: ({ name }) => name },
  { title: 'ROLE', value: ({ role }) => role },
  { title: 'SINCE', value: ({ created_at }) => created_at, spare: 1 },
  { title: 'LAST USED', value: ({ used_at }) => used_at },
  { title: 'FROM', value: ({ address }) => address, spare: 2 },
  { title: 'BROWSER', value: ({ browser }) => browser, shrinks: true, spare: 0 },
]

export default class ConsoleSessions extends ConsoleCommand {
  static override summary = 'list or end sessions of the console'
  static override description = 'Ending one works at its next request.'
  static override examples = examplesOf('', '--end 5f3c0d9e8b7a', '--end-all --json')
  static override flags = {
    end: Flags.string({ description: 'end this session', helpValue: 'ID', exclusive: ['end-all'] }),
    'end-all': Flags.boolean({ description: 'end all sessions' }),
  }

  async run() {
    const { flags } = await this.parse(ConsoleSessions)
    const { path } = await this.consoleSettings(flags)
    const sessions = await import('../../daemons/console-admin.js')
    if (flags.end !== undefined) return this.ended(await sessions.endSession(path, flags.end))
    if (flags['end-all']) return this.ended(await sessions.endAllSessions(path))
    return this.logItems(await sessions.listSessions(path), flags, COLUMNS)
  }

  private ended(count: number) {
    this.log(`ended ${count} ${count === 1 ? 'session' : 'sessions'}`)
    return { ended: count }
  }
}
