import { confirm, examplesOf, idArg, NameCommand, reasonFlag, yesFlag } from '../../cli/index.js'

export default class GrantVoid extends NameCommand {
  static override summary = 'void a paid-name grant'
  static override description =
    'A voided grant buys nothing, even if it is paid: settle that with the payer. The next claim of the key gets a new invoice. Does not cancel the invoice.'
  static override examples = examplesOf(
    '9b1d6a3f0c5e4d7a8b2f1e0d9c8b7a65 --reason "refunded by hand"',
    '"$invoice" --reason "refunded by hand" --yes --json',
  )
  static override args = { invoice: idArg('invoice') }
  static override flags = { ...reasonFlag, ...yesFlag }

  async run() {
    const { args, flags } = await this.parse(GrantVoid)
    const settings = await this.nameSettings(flags)
    const { chainOfPrices, editNames } = await import('../../daemons/name-admin.js')
    const done = await editNames(settings, async (admin) => {
      const { invoice_id, npub, status, price_grin } = await admin.grant(
        await this.wholeId('grant', args.invoice, admin),
      )
      if (!flags.quiet) await this.learnChain(() => chainOfPrices(settings))
      const what = `Making a ${status} invoice of ${price_grin} GRIN worthless for ${npub}`
      await confirm(what, 'void', flags)
      return admin.voidGrant(invoice_id, flags.reason)
    })
    const { grant } = done
    this.log(flags.quiet ? grant.invoice_id : `the ${grant.status} invoice ${grant.invoice_id} is worth nothing now`)
    if (grant.status === 'pending') this.say(`it can still be paid; next: grinpay invoice cancel ${grant.invoice_id}`)
    return done
  }
}
