import { ApiCommand, endedOtherwise, examplesOf, receiverFlag } from '../../cli/index.js'
import { webhookRemedy } from '../../lib/webhooks.js'

export default class WebhookTest extends ApiCommand {
  static override summary = 'send a signed test.ping to the shop and show the response'
  static override examples = examplesOf('', '--json && echo the shop answers', '--receiver 2')
  static override flags = receiverFlag('receiver to test (default: the first)')

  async run() {
    const { flags } = await this.parse(WebhookTest)
    const api = await this.api(flags)
    const result = await api.testWebhook(flags.receiver)
    const { attempt } = result
    if (attempt.error !== null)
      throw Object.assign(endedOtherwise(`the webhook failed after ${attempt.duration_ms} ms: ${attempt.error}`), {
        hint: webhookRemedy(attempt.http_status, attempt.error, result.receiver),
      })
    this.logFacts(flags, result.event_id, [
      ['event', result.event_id],
      ['receiver', `${result.receiver} ${result.receiver_host ?? ''}`.trim()],
      ['status', attempt.http_status],
      ['took', `${attempt.duration_ms} ms`],
      ['answer', attempt.answer_head],
    ])
    return result
  }
}
