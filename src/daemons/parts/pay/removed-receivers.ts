// Webhook receivers that are no longer configured: nothing more is sent to them, so what still waited for them ends. Settings without
// receivers look like a line that is missing: then everything goes on waiting, and an alarm names the setting.
import type { Log } from '../../../lib/ports.js'
import { RECEIVERS, receiverSetting } from '../../../lib/webhooks.js'
import type { TillSettings, WebhookOutbox } from '../../../till/index.js'

/** At the start of a till. `webhook replay` sends them after all once the receiver is back. */
export async function abandonRemovedReceivers(
  store: Pick<WebhookOutbox, 'abandonPending'>,
  { webhooks }: Pick<TillSettings, 'webhooks'>,
  log: Pick<Log, 'warn'>,
): Promise<void> {
  if (webhooks.length === 0) return
  for (const receiver of RECEIVERS) {
    if (webhooks.some((target) => target.receiver === receiver)) continue
    const reason = `receiver ${receiver} is not configured any more (${receiverSetting(receiver, 'URL')})`
    const abandoned = await store.abandonPending(receiver, reason)
    if (abandoned > 0) log.warn({ receiver, abandoned }, 'webhooks given up: their receiver is not configured any more')
  }
}
