import { Args, Flags } from '@oclif/core'
import { BaseCommand, type Column, confirm, examplesOf, usage, yesFlag } from '../../cli/index.js'
import type { PruneView } from '../../daemons/backup-prune.js'

export const COLUMNS: readonly Column<{
  readonly what: string
  readonly file: string
  readonly because: string | null
}>[] = [
  { title: 'WHAT', value: ({ what }) => what },
  { title: 'ARCHIVE', id: true, value: ({ file }) => file },
  { title: 'BECAUSE', value: ({ because }) => because, spare: 1 },
]

const keep = (what: string) => Flags.integer({ description: `keep ${what}`, default: 0, min: 0, helpValue: 'N' })

export default class BackupPrune extends BaseCommand {
  static override summary = 'remove old archives from a folder'
  static override description =
    'Works per daemon. Keeps an archive that any rule selects, and always the newest one. Days, weeks (from Monday) and months are in UTC. Touches no other files.'
  static override examples = examplesOf(
    '/var/backups/grinpay --keep-daily 7 --keep-weekly 4 --dry-run',
    '/var/backups/grinpay --keep-daily 7 --keep-weekly 4 --keep-monthly 6 --yes',
  )
  static override enableJsonFlag = true
  static override args = { dir: Args.string({ required: true, description: 'folder of the archives' }) }
  static override flags = {
    'keep-last': keep('the newest N'),
    'keep-daily': keep('the newest of each of N days'),
    'keep-weekly': keep('the newest of each of N weeks'),
    'keep-monthly': keep('the newest of each of N months'),
    'dry-run': Flags.boolean({ description: 'show what would happen, change nothing', default: false }),
    ...yesFlag,
  }

  async run(): Promise<PruneView> {
    const { args, flags } = await this.parse(BackupPrune)
    const retention = {
      last: flags['keep-last'],
      daily: flags['keep-daily'],
      weekly: flags['keep-weekly'],
      monthly: flags['keep-monthly'],
    }
    if (Object.values(retention).every((count) => count === 0))
      throw usage('say what stays: --keep-last, --keep-daily, --keep-weekly or --keep-monthly')
    const { pruneBackups } = await import('../../daemons/backup-prune.js')
    const planned = await pruneBackups({ folder: args.dir, retention, isDryRun: true })
    const count = planned.removed.length
    const isDryRun = flags['dry-run'] || count === 0
    if (!isDryRun) await confirm(`Removing ${count} archives`, 'prune', flags)
    const done = isDryRun ? planned : await pruneBackups({ folder: args.dir, retention, isDryRun })
    this.tell(done, flags.quiet)
    return { ...done, dry_run: flags['dry-run'] }
  }

  private tell({ kept, removed, freed_bytes: freed, dry_run: isDryRun }: PruneView, quiet: boolean): void {
    if (quiet) {
      this.log(String(removed.length))
      return
    }
    const rows = [
      ...kept.map(({ file, because }) => ({ what: 'keep', file, because: because.join(', ') })),
      ...removed.map((file) => ({ what: isDryRun ? 'would delete' : 'deleted', file, because: null })),
    ]
    this.logTable(rows, COLUMNS)
    this.say(`${removed.length} archives, ${freed} bytes`)
  }
}
