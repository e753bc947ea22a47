import { Args, Flags } from '@oclif/core'
import { type Column, confirm, examplesOf, NameCommand, yesFlag } from '../../cli/index.js'
import type { MoveView } from '../../daemons/store-admin.js'

const TABLES: readonly Column<MoveView['tables'][number]>[] = [
  { title: 'TABLE', value: ({ table }) => table },
  { title: 'ROWS', value: ({ rows }) => rows },
  { title: 'SHA-256', value: ({ digest }) => digest.slice(0, 16) },
]

const OUTCOMES_BACK = {
  moved:
    'moved; the schema takes no change any more. Next: take the database address out of the settings, start one daemon',
  there: 'the rows were in the file already; the schema takes no change any more',
  rehearsed: 'nothing was changed; repeat it without --dry-run',
}
const OUTCOMES = {
  moved: 'moved; the file takes no change any more. Next: start the daemons',
  there: 'the rows were there already; the file takes no change any more',
  rehearsed: 'nothing was changed; repeat it without --dry-run',
}

export default class StoreMove extends NameCommand {
  static override summary = 'move all rows of a daemon from a file into PostgreSQL, or back'
  static override description =
    'Copies every row of names.db (--db, or in NAMEAUTH_DATA_DIR) into the empty schema at NAMEAUTH_DATABASE_URL, compares a digest of every table, and marks the file. Stop the daemon first: it cannot write during the move and afterwards. Safe to repeat after an interruption. --from goes the other way, into a new file: stop every front end first; the schema stays, and is refused afterwards. For a till (pay): pay.db (--db, or in PAY_DATA_DIR) goes to PAY_DATABASE_URL; its open invoice slates are closed and its key counter is raised, both ways.'
  static override examples = examplesOf(
    'names --dry-run',
    'names --db /var/lib/grinpay-nameauth/names.db --yes',
    'pay --db /var/lib/grinpay/pay.db --dry-run',
    'pay --to postgresql://grinpay@a:5432,b:5432,c:5432/grinpay --dry-run',
    'names --from settings --db /var/lib/grinpay-nameauth/names-back.db',
  )
  static override args = {
    service: Args.string({ required: true, options: ['names', 'pay'], description: 'whose rows' }),
  }
  static override flags = {
    from: Flags.string({
      description: 'move back to a file, from this database, or "settings" for the one of the settings',
      helpValue: 'URL',
    }),
    to: Flags.string({
      description:
        'into this database instead of the one of the settings; without a password, which every user of the machine could read',
      helpValue: 'URL',
      exclusive: ['from'],
    }),
    'dry-run': Flags.boolean({ description: 'copy and compare, then undo it', default: false }),
    ...yesFlag,
  }

  async run(): Promise<MoveView> {
    const { args, flags } = await this.parse(StoreMove)
    const { moveStore, moveStoreBack, withDatabase } = await import('../../daemons/store-admin.js')
    const { db, from, to, ...others } = flags
    const known = await this.storeSettings({ ...others, daemon: args.service === 'pay' ? 'pay' : 'nameauth' })
    const settings = { ...known, ...(db !== undefined && { path: db }) }
    const order = {
      isDryRun: flags['dry-run'],
      agree: (target: string) => confirm(`Moving all rows to ${target}`, 'move', flags),
    }
    const done = await (from === undefined
      ? moveStore(to === undefined ? settings : withDatabase(settings, to), order)
      : moveStoreBack(from === 'settings' ? settings : withDatabase(settings, from), order))
    this.logTable(done.tables, TABLES)
    this.say((from === undefined ? OUTCOMES : OUTCOMES_BACK)[done.outcome])
    return done
  }
}
