import { Args, Flags } from '@oclif/core'
import { type Column, confirm, NameCommand, yesFlag } from '../../cli/index.js'
import type { MoveView } from '../../daemons/store-admin.js'

const TABLES: readonly Column<MoveView['tables'][number]>[] = [
  { title: 'TABLE', value: ({ table }) => table },
  { title: 'ROWS', value: ({ rows }) => rows },
  { title: 'SHA-256', value: ({ digest }) => digest.slice(0, 16) },
]

const OUTCOMES = {
  moved: 'moved; the file takes no change any more. Next: start the daemons',
  there: 'the rows were there already; the file takes no change any more',
  rehearsed: 'nothing was changed; repeat it without --dry-run',
}

export default class StoreMove extends NameCommand {
  static override summary = 'move all names from a file into PostgreSQL'
  static override description =
    'Copies every row of names.db (--db, or in NAMEAUTH_DATA_DIR) into the empty schema at NAMEAUTH_DATABASE_URL, compares a digest of every table, and marks the file. Stop the daemon first: it cannot write during the move and afterwards. Safe to repeat after an interruption.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> names --dry-run',
    '<%= config.bin %> <%= command.id %> names --db /var/lib/grinpay-nameauth/names.db --yes',
  ]
  static override enableJsonFlag = true
  static override args = {
    service: Args.string({ required: true, options: ['names'], description: 'whose rows' }),
  }
  static override flags = {
    'dry-run': Flags.boolean({ description: 'copy and compare, then undo it', default: false }),
    ...yesFlag,
  }

  async run(): Promise<MoveView> {
    const { flags } = await this.parse(StoreMove)
    const { moveStore } = await import('../../daemons/store-admin.js')
    const { db, ...others } = flags
    const settings = await this.nameSettings(others)
    const done = await moveStore(db === undefined ? settings : { ...settings, path: db }, {
      isDryRun: flags['dry-run'],
      agree: (target) =>
        confirm({ what: `Moving all names to ${target}`, word: 'move', yes: flags.yes, noInput: flags['no-input'] }),
    })
    this.logTable(done.tables, TABLES)
    this.say(OUTCOMES[done.outcome])
    return done
  }
}
