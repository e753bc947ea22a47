import { Args, Flags } from '@oclif/core'
import { type Column, EXIT, openSettings, RelayCommand } from '../../cli/index.js'
import type { ImportView } from '../../daemons/relay-import.js'
import { plainText } from '../../lib/plain-text.js'

type Refused = ImportView['examples'][number]

const REFUSED: readonly Column<Refused>[] = [
  { title: 'LINE', value: ({ line }) => line },
  { title: 'EVENT', value: ({ id }) => id.slice(0, 16) },
  { title: 'REFUSED', value: ({ reason }) => plainText(reason), shrinks: true },
]

export default class RelayImport extends RelayCommand {
  static override summary = 'take in events from JSON lines: of relay export, strfry export, bulkloader'
  static override description =
    'Each line is an event; its form, id and signature are checked, and the write policy decides as about every event. Lines that are refused are named and left out, and the command ends with 6. Repeating it is harmless: what is stored is known. While the relay runs, it takes the events over its own address, within the times and limits of all clients; what only those forbid goes in when it is stopped.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> events.jsonl',
    'strfry export | <%= config.bin %> <%= command.id %> - --dry-run',
    '<%= config.bin %> <%= command.id %> backup.jsonl --no-verify --json',
  ]
  static override enableJsonFlag = true
  static override args = {
    file: Args.string({ default: '-', description: 'what to take in; - or nothing: standard input' }),
  }
  static override flags = {
    verify: Flags.boolean({
      allowNo: true,
      default: true,
      description: 'check signatures; --no-verify is for exports of your own, while the relay is stopped',
    }),
    'dry-run': Flags.boolean({
      description: 'only tell what would happen, asking neither authority nor plugin',
      default: false,
    }),
    url: Flags.string({ description: 'of the running relay, when the settings do not tell it', helpValue: 'URL' }),
    timeout: Flags.integer({ description: 'seconds to wait for each answer', default: 30, min: 1, max: 3600 }),
  }

  async run(): Promise<ImportView> {
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

  /** With --json the document comes first; then the exit code tells the outcome. */
  private tell(done: ImportView, quiet: boolean): ImportView {
    const { stored, known, outdated, refused } = done
    const word = done.dry_run ? 'would be stored' : 'stored'
    this.log(quiet ? String(stored) : `${word} ${stored}, known ${known}, outdated ${outdated}, refused ${refused}`)
    if (refused === 0) return done
    for (const [reason, count] of Object.entries(done.reasons)) this.say(`refused ${count}: ${reason}`)
    if (!quiet) this.logTable(done.examples, REFUSED)
    if (this.jsonEnabled()) this.logJson(done)
    return this.exit(EXIT.negative)
  }
}

const textOf = ({ lines, stored, refused }: Pick<ImportView, 'lines' | 'stored' | 'refused'>): string =>
  `${lines} lines, ${stored} stored, ${refused} refused`
