import { ApiCommand, type Column, examplesOf, facts, idArg, receiverFlag } from '../../cli/index.js'
import type { AttemptView, DeliveryView } from '../../client/index.js'

const COLUMNS: readonly Column<AttemptView>[] = [
  { title: 'TRY', value: ({ number }) => number },
  { title: 'STARTED', value: ({ started_at }) => started_at, spare: 1 },
  { title: 'MS', value: ({ duration_ms }) => duration_ms },
  { title: 'STATUS', value: ({ http_status }) => http_status ?? '-' },
  { title: 'ERROR', value: ({ error }) => error, shrinks: true },
  { title: 'ANSWER', value: ({ answer_head }) => answer_head, shrinks: true },
]

export default class WebhookShow extends ApiCommand {
  static override summary = 'show a webhook event: body and delivery attempts'
  static override examples = examplesOf('5f3c0d9e8b7a6f5e4d3c2b1a09f8e7d6', '5f3c0d9e8b7a6f5e4d3c2b1a09f8e7d6 --json')
  static override args = { event: idArg('event') }
  static override flags = receiverFlag('show the delivery to this receiver (default: the first)')

  async run() {
    const { args, flags } = await this.parse(WebhookShow)
    const api = await this.api(flags)
    const delivery = await api.delivery(await this.wholeId(api, 'event', args.event), flags.receiver)
    if (flags.quiet) {
      this.log(delivery.event_id)
      return delivery
    }
    const others = delivery.deliveries.filter(({ receiver }) => receiver !== delivery.receiver)
    this.log(
      facts([
        ['event', delivery.event_id],
        ['type', delivery.event_type],
        ['receiver', receiverText(delivery)],
        ['state', delivery.state],
        ['invoice', delivery.invoice_id],
        ['payment', delivery.payment_id],
        ['created', delivery.created_at],
        ['attempts', delivery.attempts],
        ['next', delivery.next_attempt_at],
        ['error', delivery.last_error],
        ['body', delivery.body],
        ...others.map((other): [string, string] => ['also to', `${receiverText(other)}, ${other.state}`]),
      ]),
    )
    this.logTable(delivery.tries, COLUMNS)
    return delivery
  }
}

const receiverText = ({ receiver, receiver_host }: DeliveryView): string =>
  `${receiver} (${receiver_host ?? 'not configured any more'})`
