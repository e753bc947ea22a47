import { Flags } from '@oclif/core'
import { confirm, examplesOf, openClock, parseEpoch, RelayCommand, reasonOf, usage, yesFlag } from '../../cli/index.js'
import type { RemovedView } from '../../daemons/relay-admin.js'

export default class RelayDelete extends RelayCommand {
  static override summary = 'delete events by id, author, kind, age or filter, while the relay runs or not'
  static override description =
    'An event must match every given criterion; of several --id, --author or --kind one is enough. Keeps gift wraps unless --wraps is given: no other copy exists. Deleted events may be published again unless "relay ban" refuses them. relay-audit.jsonl beside the database records the change.'
  static override examples = examplesOf(
    '--author npub1… --reason "asked for it" --dry-run',
    '--kind 1 --before 90d --reason "old notes" --yes',
    `--filter '{"#t":["spam"]}' --reason "spam" --yes --json`,
  )
  static override flags = {
    id: Flags.string({ multiple: true, description: 'the event with this id', helpValue: 'ID' }),
    author: Flags.string({ multiple: true, description: 'events of this author, as npub or 64 hex', helpValue: 'KEY' }),
    kind: Flags.integer({
      multiple: true,
      description: 'events of this kind',
      helpValue: 'NUMBER',
      min: 0,
      max: 65_535,
    }),
    filter: Flags.string({ description: 'events that this NIP-01 filter matches', helpValue: 'JSON' }),
    before: Flags.string({
      description: 'events before this time: a date, an age such as 90d, or epoch seconds',
      helpValue: 'TIME',
    }),
    wraps: Flags.boolean({ description: 'include gift wraps', default: false }),
    reason: Flags.string({ description: 'reason, required for changes, kept in the audit', helpValue: 'TEXT' }),
    'dry-run': Flags.boolean({ description: 'only count', default: false }),
    ...yesFlag,
  }

  async run(): Promise<RemovedView> {
    const { flags } = await this.parse(RelayDelete)
    const { id, author, kind, filter: text, before, wraps } = flags
    if (!id && !author && !kind && text === undefined && before === undefined)
      throw usage('name what is to go: --id, --author, --kind, --before or --filter')
    const isDryRun = flags['dry-run']
    const reason = isDryRun ? '' : reasonOf(flags.reason)
    const { filterOf } = await import('../../daemons/relay-filter.js')
    const until = before === undefined ? undefined : parseEpoch(before, openClock().now()) - 1
    const ids = id?.map((one) => one.toLowerCase())
    const filter = filterOf({ filter: text, ids, authors: author, kinds: kind, until })
    if (filter.limit !== undefined) throw usage('--filter: a limit has no meaning for what is to go')
    const config = await this.relayConfig(flags)
    const { deleteEvents } = await import('../../daemons/relay-admin.js')
    const agree = (events: number) => confirm(`Deleting ${events} events`, 'delete', flags)
    const done = await deleteEvents(config, { filter, wraps, reason, isDryRun, agree })
    if (flags.quiet) this.log(String(isDryRun ? done.matching : done.removed))
    else this.log(isDryRun ? `${done.matching} events would be deleted` : `deleted ${done.removed} events`)
    if (done.matching === 0 && !wraps) this.say('gift wraps were left out: --wraps takes them too')
    return done
  }
}
