// Webhook receivers that are no longer configured: nothing is sent to them any more, so what still waited for them ends.
import type { Outbox, TillSettings } from '../../till/index.js'

const RECEIVERS = [1, 2, 3, 4, 5, 6, 7, 8] as const

/** As the operator would look for it in the settings. */
const settingOf = (receiver: number): string => (receiver === 1 ? 'PAY_WEBHOOK_URL' : `PAY_WEBHOOK_${receiver}_URL`)

/** At the start of a till. `webhook replay` sends them after all once the receiver is back. */
export async function abandonRemovedReceivers(
  store: Pick<Outbox, 'abandonPending'>,
  { webhooks }: Pick<TillSettings, 'webhooks'>,
  log: { warn(fields: object, text: string): void },
): Promise<void> {
  for (const receiver of RECEIVERS) {
    if (webhooks.some((target) => target.receiver === receiver)) continue
    const reason = `receiver ${receiver} is not configured any more (${settingOf(receiver)})`
    const abandoned = await store.abandonPending(receiver, reason)
    if (abandoned > 0) log.warn({ receiver, abandoned }, 'webhooks given up: their receiver is not configured any more')
  }
}
