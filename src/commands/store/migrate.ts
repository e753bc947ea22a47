import { Flags } from '@oclif/core'
import { examplesOf, NameCommand, storeFlag, usage } from '../../cli/index.js'
import type { MigrateView } from '../../daemons/store-admin.js'

export default class StoreMigrate extends NameCommand {
  static override summary = 'create or update the tables in PostgreSQL'
  static override description =
    'Works on the schema of NAMEAUTH_DATABASE_SCHEMA at NAMEAUTH_DATABASE_URL, on its primary; with --daemon pay on that of the till (PAY_DATABASE_SCHEMA, PAY_DATABASE_URL), with --daemon relay on that of the log (RELAY_LOG_SCHEMA, RELAY_LOG_URL; --settings names its TOML file). Run it once before the daemons of a new version start; daemons of the version before go on meanwhile. Safe to repeat. When every front end of a relay runs the new version: --rules, for versions that decide otherwise about some events.'
  static override examples = examplesOf('', '--daemon pay --json', '--daemon relay --rules')
  static override flags = {
    ...storeFlag,
    rules: Flags.boolean({
      description: 'of a relay: from now on its front ends decide by the rules of this version, which all must run',
      default: false,
    }),
  }

  async run(): Promise<MigrateView> {
    const { flags } = await this.parse(StoreMigrate)
    if (flags.rules && flags.daemon !== 'relay') throw usage('--rules belongs to --daemon relay')
    const { migrateRules, migrateStore } = await import('../../daemons/store-admin.js')
    const settings = await this.storeSettings(flags)
    const done = flags.rules ? await migrateRules(settings, this.config.version) : await migrateStore(settings)
    const steps = done.steps.join(', ')
    this.log(steps === '' ? `${done.target}: nothing is missing` : `${done.target}: added step ${steps}`)
    if (done.rules !== undefined) this.log(`events are decided by rules ${done.rules}`)
    return done
  }
}
