import { Args, Flags } from '@oclif/core'
import { type Column, confirm, EXIT, examplesOf, NameCommand, reasonFlag, yesFlag } from '../../cli/index.js'
import type { NameImportView } from '../../daemons/name-transfer.js'

type Rows = NameImportView['rows'][number]
type Conflict = NameImportView['conflicts'][number]

const ROWS: readonly Column<Rows>[] = [
  { title: 'ROWS OF', value: ({ kind }) => kind },
  { title: 'NEW', value: ({ added }) => added },
  { title: 'KNOWN', value: ({ known }) => known },
]
const CONFLICTS: readonly Column<Conflict>[] = [
  { title: 'AT', value: ({ place }) => place },
  { title: 'CONFLICT', value: ({ what }) => what, shrinks: true },
]

export default class NameImport extends NameCommand {
  static override summary = 'import the names of another authority, all or nothing'
  static override description =
    'FILE is the database of a Floonet or Goblin name authority, of a relay with one inside, another names.db, the output of "name export", or a static nostr.json; use a copy or stop the authority first. Imports names, grants, offers and sales. A contradictory row stops the import: nothing changes, exit 6. Creates the file of the names if missing. Into PostgreSQL (NAMEAUTH_DATABASE_URL): changes of front ends wait meanwhile. Safe to repeat.'
  static override examples = examplesOf(
    '/var/lib/floonet-authority/names.db --dry-run --reason "moving in"',
    'names-copy.db --reason "moving in" --yes --json',
  )
  static override args = { file: Args.string({ required: true, description: 'database or export to import' }) }
  static override flags = {
    ...reasonFlag,
    'dry-run': Flags.boolean({ description: 'show what would happen, change nothing', default: false }),
    ...yesFlag,
  }

  async run() {
    const { args, flags } = await this.parse(NameImport)
    const isDryRun = flags['dry-run']
    const settings = await this.nameRules(flags)
    const { importNames } = await import('../../daemons/name-transfer.js')
    const done = await importNames(settings, {
      file: args.file,
      reason: flags.reason,
      isDryRun,
      agree: async (origin) => {
        this.say(`${args.file}: ${origin}`)
        const { path, database } = settings
        const what = `Taking it over into ${database ? `PostgreSQL, schema ${database.schema}` : path}`
        if (!isDryRun) await confirm({ what, word: 'import', yes: flags.yes, noInput: flags['no-input'] })
      },
    })
    return done.conflicts.length > 0 ? this.refuse(done) : this.tell(done)
  }

  private tell(done: NameImportView): NameImportView {
    this.logTable(done.rows, ROWS)
    if (done.look_alikes > 0)
      this.say(`look-alikes of names of other keys, taken over all the same: ${done.look_alikes}`)
    if (done.too_short > 0) this.say(`shorter than NAMEAUTH_NAME_MIN, and so not resolving: ${done.too_short}`)
    this.say(done.dry_run ? 'nothing was changed; repeat it without --dry-run' : 'next: grinpay name list')
    return done
  }

  /** With --json the document comes first; then the exit code tells the outcome. */
  private refuse(done: NameImportView): never {
    if (this.jsonEnabled()) this.logJson(done)
    this.logTable(done.conflicts, CONFLICTS)
    this.say(`conflicts: ${done.conflicts.length}; nothing was changed`)
    return this.exit(EXIT.negative)
  }
}
