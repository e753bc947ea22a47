import { Args, Flags } from '@oclif/core'
import { BaseCommand, confirm, examplesOf, openSettings, settingsFlag, yesFlag } from '../../cli/index.js'

export default class InvoiceImport extends BaseCommand {
  static override summary = 'import the invoices of a GoblinPay till, all or nothing'
  static override description =
    'FILE is the database of a stopped GoblinPay till, or a copy. Imports invoices, payments, users with their keys, and webhook events; unconfirmed ones continue here. Restore the wallet ("wallet restore --seed-file") and copy identity.json of that till first: payments are matched by output, open invoices by key. A contradictory row stops the import: nothing changes, exit 6. Refuses while the till runs. Safe to repeat.'
  static override examples = examplesOf(
    '/var/lib/goblinpay/goblinpay.db --dry-run',
    'goblinpay-copy.db --settings /etc/grinpay/pay.env --yes --json',
  )
  static override enableJsonFlag = true
  static override args = { file: Args.string({ required: true, description: 'database to import' }) }
  static override flags = {
    settings: settingsFlag('settings of this till (or GRINPAY_ENV_FILE)'),
    'dry-run': Flags.boolean({ description: 'show what would happen, change nothing', default: false }),
    ...yesFlag,
  }

  async run() {
    const { args, flags } = await this.parse(InvoiceImport)
    const { tillEnvironment } = await openSettings()
    const environment = tillEnvironment(flags.settings)
    const isDryRun = flags['dry-run']
    const { importTill } = await import('../../daemons/till-moving.js')
    const done = await importTill({
      environment,
      file: args.file,
      isDryRun,
      agree: async (found, path) => {
        this.say(`${args.file}: ${found}`)
        const what = `Taking it over into ${path}`
        if (!isDryRun) await confirm(what, 'import', flags)
      },
    })
    const leftOut = done.left_out.map(({ place, what }) => `left out: ${place}: ${what}`)
    return this.endImport(done, leftOut, 'grinpay serve pay')
  }
}
