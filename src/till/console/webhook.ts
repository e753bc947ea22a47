// One webhook event at one receiver: its attempts with what was answered, and how it is sent again.
import { type ConsoleAction, type ConsolePage, clip } from '../../console/index.js'
import type { Attempt } from '../model.js'
import { noSuchRecord } from './errors.js'
import { deliveryTag, shortId } from './labels.js'
import type { DeliveryRecord, TillView } from './view.js'

const LONGEST_ANSWER = 240

export const webhookPage = (till: TillView): ConsolePage => ({
  path: '/webhooks/:id',
  title: 'Webhook',
  least: 'viewer',
  scripts: ['live.js'],
  async render({ params, query, view }) {
    const records = await recordsOf(till, params.id)
    const record = chosenOf(records, Number(query.receiver))
    const { delivery } = record
    const { receivers } = await till.health()
    const body = view('till/webhook', {
      delivery: { ...delivery, lastError: clip(delivery.lastError ?? '', LONGEST_ANSWER) },
      tag: deliveryTag(delivery.state, delivery.attempts),
      host: receivers.find(({ receiver }) => receiver === delivery.receiver)?.host ?? null,
      attempts: record.attempts.map((attempt) => ({
        ...attempt,
        isGood: attempt.error === null,
        error: clip(reasonOf(attempt), LONGEST_ANSWER),
        answerHead: clip(attempt.answerHead, LONGEST_ANSWER),
      })),
      choices:
        records.length === 1
          ? []
          : records.map((one) => ({
              label: `Receiver ${one.delivery.receiver}`,
              href: `/console/webhooks/${delivery.eventId}?receiver=${one.delivery.receiver}`,
              isCurrent: one === record,
            })),
    })
    return { title: `Webhook ${shortId(delivery.eventId)}`, body }
  },
})

/** The status stands beside it. */
const reasonOf = ({ error, httpStatus }: Attempt): string =>
  (error ?? '').replace(new RegExp(`^HTTP ${httpStatus}(: )?`), '')

/** Throws CONSOLE_NO_RECORD. */
async function recordsOf(till: TillView, id = ''): Promise<readonly DeliveryRecord[]> {
  const records = /^[0-9a-f]{32}$/.test(id) ? await till.deliveriesOf(id) : []
  if (records.length === 0) throw noSuchRecord('webhook event')
  return records
}

/** That of the receiver, else the first. Throws CONSOLE_NO_RECORD. */
function chosenOf(records: readonly DeliveryRecord[], receiver: number): DeliveryRecord {
  const chosen = records.find(({ delivery }) => delivery.receiver === receiver) ?? records[0]
  if (!chosen) throw noSuchRecord('webhook event')
  return chosen
}

export const replayAction = (till: TillView): ConsoleAction => ({
  path: '/webhooks/:id/replay',
  id: 'webhook.replay',
  least: 'operator',
  fields: { receiver: { max: 1, pattern: /^[1-8]$/ } },
  audited: ['receiver'],
  object: ({ params }) => params.id ?? '',
  async confirm({ params, form }) {
    const { delivery } = chosenOf(await recordsOf(till, params.id), Number(form.receiver))
    return {
      question: 'Send this event again?',
      facts: [
        ['Event', delivery.eventId],
        ['Type', delivery.type],
        ['Receiver', String(delivery.receiver)],
        ['Now', deliveryTag(delivery.state, delivery.attempts).text],
        ['Invoice', delivery.invoiceId ?? '–'],
      ],
      consequence:
        'The receiver gets the same event with the same id once more. Receivers that keep the contract act on it once.',
      verb: 'Send it again',
      back: `/webhooks/${delivery.eventId}?receiver=${delivery.receiver}`,
    }
  },
  async perform({ params, form }) {
    const { delivery } = chosenOf(await recordsOf(till, params.id), Number(form.receiver))
    await till.replay(delivery.eventId, delivery.receiver)
    return {
      to: `/webhooks/${delivery.eventId}?receiver=${delivery.receiver}`,
      flash: { tone: 'good', text: 'The event is sent again now.' },
    }
  },
})
