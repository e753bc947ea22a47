import { Flags } from '@oclif/core'
import {
  ApiCommand,
  type Column,
  examplesOf,
  pageFlags,
  receiverFlag,
  sinceMoment,
  statusTint,
} from '../../cli/index.js'
import type { DeliveryView } from '../../client/index.js'

export const COLUMNS: readonly Column<DeliveryView>[] = [
  { title: 'EVENT', id: true, value: ({ event_id }) => event_id },
  { title: 'TYPE', value: ({ event_type }) => event_type, shrinks: true },
  { title: 'STATE', value: ({ state }) => state, tint: ({ state }) => statusTint(state) },
  { title: 'TRIES', value: ({ attempts }) => attempts, spare: 1 },
  { title: 'CREATED', value: ({ created_at }) => created_at, spare: 3 },
  { title: 'INVOICE', value: ({ invoice_id }) => invoice_id ?? '-', spare: 4, shrinks: true },
  { title: 'RECEIVER', value: ({ receiver }) => receiver, spare: 5 },
  { title: 'NEXT', value: ({ next_attempt_at }) => next_attempt_at ?? '-', spare: 2 },
  { title: 'LAST ERROR', value: ({ last_error }) => last_error, shrinks: true, spare: 0 },
]

export default class WebhookList extends ApiCommand {
  static override summary = 'list webhook events and their delivery state, one row per receiver'
  static override examples = examplesOf('--failed --since 24h', '--invoice 9b1d6a3f0c5e4d7a8b2f1e0d9c8b7a65 --json')
  static override flags = {
    ...pageFlags,
    failed: Flags.boolean({ description: 'only events with a failed attempt' }),
    state: Flags.string({ description: 'only this state', options: ['pending', 'delivered', 'abandoned'] }),
    invoice: Flags.string({ description: 'only of this invoice (id or prefix)', helpValue: 'INVOICE' }),
    ...receiverFlag('only this receiver'),
    since: Flags.string({ description: 'only newer than this age', helpValue: 'DURATION' }),
  }

  async run() {
    const { flags } = await this.parse(WebhookList)
    const api = await this.api(flags)
    const filter = {
      failed: flags.failed ? true : undefined,
      state: flags.state,
      invoice_id: flags.invoice === undefined ? undefined : await this.wholeId(api, 'invoice', flags.invoice),
      receiver: flags.receiver,
      since: flags.since === undefined ? undefined : sinceMoment(flags.since),
    }
    return this.logPages((page) => api.deliveries({ ...filter, ...page }), flags, COLUMNS)
  }
}
