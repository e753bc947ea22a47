import { examplesOf, idArg, NameCommand } from '../../cli/index.js'

export default class OfferShow extends NameCommand {
  static override summary = 'show an offer of a name and its sale'
  static override description = 'With --json also the signed event.'
  static override examples = examplesOf('5f3c0d9e…', '"$offer" --json')
  static override args = { offer: idArg('offer') }

  async run() {
    const { args, flags } = await this.parse(OfferShow)
    const settings = await this.nameSettings(flags)
    const { chainOfPrices, readNames } = await import('../../daemons/name-admin.js')
    const offer = await readNames(settings, async (admin) =>
      admin.offer(await this.wholeId('offer', args.offer, admin)),
    )
    if (!flags.quiet) await this.learnChain(() => chainOfPrices(settings))
    this.logFacts(flags, offer.offer_id, [
      ['offer', offer.offer_id],
      ['name', offer.name],
      ['status', offer.status],
      ['price', `${offer.price_grin} GRIN`],
      ['seller', offer.seller_npub],
      ['seller as hex', offer.seller],
      ['buyer', offer.buyer_npub],
      ['buyer as hex', offer.buyer],
      ['paid to', offer.proof_address],
      ['made', offer.created_at],
      ['expires', offer.expires_at],
      ['ended', offer.status === 'live' ? null : offer.state_changed_at],
      ['at height', offer.end_height],
      ['kernel', offer.sale?.kernel_excess],
      ['kernel height', offer.sale?.kernel_height],
      ['sold', offer.sale?.claimed_at],
    ])
    return offer
  }
}
