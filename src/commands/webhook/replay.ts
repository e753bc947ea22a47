import { Args, Flags } from '@oclif/core'
import {
  ApiCommand,
  allItems,
  type Column,
  examplesOf,
  needsConfirmation,
  receiverFlag,
  sinceMoment,
  usage,
} from '../../cli/index.js'
import type { DeliveryView, InvoicingClient } from '../../client/index.js'

/** More than this many at once must be meant. */
const MANY = 20

export const COLUMNS: readonly Column<DeliveryView>[] = [
  { title: 'EVENT', id: true, value: ({ event_id }) => event_id },
  { title: 'TYPE', value: ({ event_type }) => event_type, shrinks: true },
  { title: 'STATE', value: ({ state }) => state },
  { title: 'RECEIVER', value: ({ receiver }) => receiver, spare: 1 },
]

export default class WebhookReplay extends ApiCommand {
  static override summary = 'resend a webhook event: same id, same body'
  static override examples = examplesOf(
    '5f3c0d9e8b7a6f5e4d3c2b1a09f8e7d6',
    '--failed --since 24h --dry-run',
    '--failed --receiver 2 --yes',
  )
  static override args = { event: Args.string({ description: 'event id, or its first 6 characters or more' }) }
  static override flags = {
    failed: Flags.boolean({
      description: 'all undelivered events, to the receivers that lack them',
      exclusive: ['event'],
    }),
    since: Flags.string({
      description: 'with --failed: only newer than this age',
      helpValue: 'DURATION',
      dependsOn: ['failed'],
    }),
    ...receiverFlag('only to this receiver (default: each receiver of the event)'),
    'dry-run': Flags.boolean({ description: 'show what would happen, change nothing' }),
    yes: Flags.boolean({ description: `allow more than ${MANY} at once` }),
  }

  async run() {
    const { args, flags } = await this.parse(WebhookReplay)
    if ((args.event === undefined) === !flags.failed) throw usage('give one event id, or --failed')
    const api = await this.api(flags)
    const id = args.event === undefined ? undefined : await this.wholeId(api, 'event', args.event)
    const chosen =
      id === undefined
        ? await neverDelivered(api, flags.since, flags.receiver)
        : await deliveriesOf(api, id, flags.receiver)
    if (chosen.length > MANY && !flags.yes && !flags['dry-run'])
      throw needsConfirmation(`sending ${chosen.length} events`)
    for (const { event_id, state } of chosen) if (state === 'delivered') this.say(`${event_id} was delivered before`)
    const items = flags['dry-run']
      ? chosen
      : await inTurn(chosen, ({ event_id, receiver }) => api.replay(event_id, receiver))
    const list = this.logItems(items, flags, COLUMNS)
    this.say(flags['dry-run'] ? `${items.length} would be queued` : `${items.length} queued; see: grinpay webhook list`)
    return list
  }
}

/** Its receiver is still there. */
const isConfigured = ({ receiver_host }: DeliveryView): boolean => receiver_host !== null

/** Of one event: to one receiver, or to each that is configured. Where none is, the till refuses the first and says why. */
async function deliveriesOf(
  api: InvoicingClient,
  eventId: string,
  receiver: number | undefined,
): Promise<readonly DeliveryView[]> {
  const delivery = await api.delivery(eventId, receiver)
  const configured = receiver === undefined ? delivery.deliveries.filter(isConfigured) : []
  return configured.length > 0 ? configured : [delivery]
}

/** Events for tests say nothing that a shop waits for. */
const owesTheShop = ({ state, event_type }: DeliveryView): boolean =>
  state !== 'delivered' && event_type !== 'test.ping'

async function neverDelivered(
  api: InvoicingClient,
  since: string | undefined,
  receiver: number | undefined,
): Promise<readonly DeliveryView[]> {
  const found: DeliveryView[] = []
  const query = { failed: true, receiver, since: since === undefined ? undefined : sinceMoment(since) }
  const pages = allItems((page) => api.deliveries({ ...query, ...page }))
  for await (const delivery of pages) if (owesTheShop(delivery) && isConfigured(delivery)) found.push(delivery)
  return found.reverse() // oldest first, as they happened
}

async function inTurn<A, B>(list: readonly A[], work: (item: A) => Promise<B>): Promise<readonly B[]> {
  const done: B[] = []
  for (const item of list) done.push(await work(item))
  return done
}
