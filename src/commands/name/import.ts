import { Args, Flags } from '@oclif/core'
import { confirm, examplesOf, NameCommand, reasonFlag, yesFlag } from '../../cli/index.js'

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
        if (!isDryRun) await confirm(what, 'import', flags)
      },
    })
    const { look_alikes: lookAlikes, too_short: tooShort } = done
    const remarks = [
      ...(lookAlikes > 0 ? [`look-alikes of names of other keys, taken over all the same: ${lookAlikes}`] : []),
      ...(tooShort > 0 ? [`shorter than NAMEAUTH_NAME_MIN, and so not resolving: ${tooShort}`] : []),
    ]
    return this.endImport(done, remarks, 'grinpay name list')
  }
}
