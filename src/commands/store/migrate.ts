import { NameCommand, storeFlag } from '../../cli/index.js'

export default class StoreMigrate extends NameCommand {
  static override summary = 'create or update the tables in PostgreSQL'
  static override description =
    'Works on the schema of NAMEAUTH_DATABASE_SCHEMA at NAMEAUTH_DATABASE_URL, on its primary; with --daemon pay on that of the till (PAY_DATABASE_SCHEMA, PAY_DATABASE_URL), with --daemon relay on that of the log (RELAY_LOG_SCHEMA, RELAY_LOG_URL; --settings names its TOML file). Run it once before the daemons of a new version start; daemons of the version before go on meanwhile. Safe to repeat.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --daemon pay --json',
    '<%= config.bin %> <%= command.id %> --daemon relay',
  ]
  static override enableJsonFlag = true
  static override flags = storeFlag

  async run() {
    const { flags } = await this.parse(StoreMigrate)
    const { migrateStore } = await import('../../daemons/store-admin.js')
    const done = await migrateStore(await this.storeSettings(flags))
    const steps = done.steps.join(', ')
    this.log(steps === '' ? `${done.target}: nothing is missing` : `${done.target}: added step ${steps}`)
    return done
  }
}
