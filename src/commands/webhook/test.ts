import { ApiCommand, endedOtherwise, facts } from '../../cli/index.js'
import { webhookRemedy } from '../../lib/webhook-remedy.js'

export default class WebhookTest extends ApiCommand {
  static override summary = 'send a signed test.ping to the shop and show what came back'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --json && echo the shop answers',
  ]
  static override enableJsonFlag = true

  async run() {
    const { flags } = await this.parse(WebhookTest)
    const api = await this.api(flags)
    const result = await api.testWebhook()
    const { attempt } = result
    if (attempt.error !== null)
      throw Object.assign(endedOtherwise(`the webhook failed after ${attempt.duration_ms} ms: ${attempt.error}`), {
        hint: webhookRemedy(attempt.http_status, attempt.error),
      })
    if (flags.quiet) {
      this.log(result.event_id)
      return result
    }
    this.log(
      facts([
        ['event', result.event_id],
        ['status', attempt.http_status],
        ['took', `${attempt.duration_ms} ms`],
        ['answer', attempt.answer_head],
      ]),
    )
    return result
  }
}
