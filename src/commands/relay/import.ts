import { Args, Flags } from '@oclif/core'
import { answerFlags, type Column, examplesOf, openSettings, RelayCommand } from '../../cli/index.js'
import type { EventImportView } from '../../daemons/relay-import.js'
import { plainText } from '../../lib/plain-text.js'

type Refused = EventImportView['examples'][number]

const REFUSED: readonly Column<Refused>[] = [
  { title: 'LINE', value: ({ line }) => line },
  { title: 'EVENT', value: ({ id }) => id.slice(0, 16) },
  { title: 'REFUSED', value: ({ reason }) => plainText(reason), shrinks: true },
]

export default class RelayImport extends RelayCommand {
  static override summary = 'import events from JSON lines of relay export, strfry export or bulkloader'
  static override description =
    'Checks form, id and signature of each event and applies the write policy. Names refused lines, skips them and exits 6. Safe to repeat. A running relay takes the events over its own address with the limits of all clients; stop it to import what only those limits refuse.'
  static override examples = examplesOf(
    'events.jsonl',
    'strfry export | <%= config.bin %> <%= command.id %> - --dry-run',
    'backup.jsonl --no-verify --json',
  )
  static override args = {
    file: Args.string({ default: '-', description: 'file to import; default or -: stdin' }),
  }
  static override flags = {
    verify: Flags.boolean({
      allowNo: true,
      default: true,
      description: 'check signatures; --no-verify only for your own exports and a stopped relay',
    }),
    'dry-run': Flags.boolean({
      description: 'show what would happen; asks neither authority nor plugin',
      default: false,
    }),
    url: Flags.string({ description: 'address of the running relay, if the settings lack it', helpValue: 'URL' }),
    ...answerFlags,
  }

  async run(): Promise<EventImportView> {
    const { args, flags } = await this.parse(RelayImport)
    const config = await this.relayConfig(flags)
    const { openDaemonLog } = await openSettings()
    const log = await openDaemonLog('error')
    const { importEvents } = await import('../../daemons/relay-import.js')
    const done = await this.waiting('reading', (tell) =>
      importEvents(config, {
        ...{ version: this.config.version, log, file: args.file, verify: flags.verify, isDryRun: flags['dry-run'] },
        ...{ url: flags.url, timeoutMs: flags.timeout * 1000, onProgress: (sofar) => tell(textOf(sofar)) },
      }),
    )
    return this.tell(done, flags.quiet)
  }

  private tell(done: EventImportView, quiet: boolean): EventImportView {
    const { stored, known, outdated, refused } = done
    const word = done.dry_run ? 'would be stored' : 'stored'
    this.log(quiet ? String(stored) : `${word} ${stored}, known ${known}, outdated ${outdated}, refused ${refused}`)
    if (refused === 0) return done
    for (const [reason, count] of Object.entries(done.reasons)) this.say(`refused ${count}: ${reason}`)
    if (!quiet) this.logTable(done.examples, REFUSED)
    return this.endNegative(done)
  }
}

const textOf = ({ lines, stored, refused }: Pick<EventImportView, 'lines' | 'stored' | 'refused'>): string =>
  `${lines} lines, ${stored} stored, ${refused} refused`
