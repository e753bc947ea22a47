import { Flags } from '@oclif/core'
import { examplesOf, openClock, outputFile, parseEpoch, RelayCommand, usage } from '../../cli/index.js'

export default class RelayExport extends RelayCommand {
  static override summary = 'write stored events as JSON lines, oldest first'
  static override description =
    'Works while the relay runs or not; omits expired events. "relay import" and strfry read the output. Times are dates, ages such as 90d, or epoch seconds.'
  static override examples = examplesOf(
    '> events.jsonl',
    `--filter '{"kinds":[0,10002,10050]}' --since 30d --output recent.jsonl`,
    `--reverse --filter '{"limit":10}'`,
  )
  static override flags = {
    filter: Flags.string({ description: 'only events that this NIP-01 filter matches', helpValue: 'JSON' }),
    since: Flags.string({ description: 'only events from this time on', helpValue: 'TIME' }),
    until: Flags.string({ description: 'only events up to this time', helpValue: 'TIME' }),
    output: Flags.string({ char: 'o', description: 'a new file, mode 0600; - for standard output', helpValue: 'FILE' }),
    reverse: Flags.boolean({ description: 'newest first' }),
  }

  async run() {
    const { flags } = await this.parse(RelayExport)
    const file = outputFile(flags.output)
    if (this.jsonEnabled() && file === undefined)
      throw usage('the events are lines of JSON: leave --json out, or write them to a file with --output')
    const now = openClock().now()
    const { since, until } = flags
    const { filterOf } = await import('../../daemons/relay-filter.js')
    const filter = filterOf({
      filter: flags.filter,
      since: since === undefined ? undefined : parseEpoch(since, now),
      until: until === undefined ? undefined : parseEpoch(until, now),
    })
    const dbPath = await this.relayDatabase(flags)
    const { exportEvents } = await import('../../daemons/relay-export.js')
    const events = await exportEvents(dbPath, { filter, reverse: flags.reverse, file })
    if (file !== undefined) this.say(`${events} events written to ${file}`)
    return { file: file ?? null, events }
  }
}
