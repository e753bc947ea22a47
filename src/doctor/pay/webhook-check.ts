// The receivers of webhooks: the running till sends each a signed event for tests, and the answer decides.

import { httpTransport } from '../../client/index.js'
import { membersOf, parseJson } from '../../lib/parse-json.js'
import { foreignText, plainText } from '../../lib/plain-text.js'
import { webhookRemedy } from '../../lib/webhooks.js'
import type { DoctorCheck } from '../check.js'
import { type Finding, fail, pass, warn } from '../finding.js'
import { tillRuns } from './daemon-check.js'

/** Somewhat longer than the till waits for the shop. */
const PATIENCE_MS = 25_000

export const webhookCheck: DoctorCheck = {
  name: 'webhook',
  limitMs: 30_000,
  applies: ({ webhooks }) => webhooks.length > 0,
  async run({ config: { webhooks, adminToken }, tillUrl }) {
    if (!(await tillRuns({ tillUrl }))) return []
    if (!adminToken) return [warn('without PAY_ADMIN_TOKEN nothing can be sent for a test', 'grinpay secret new admin')]
    const headers = { authorization: `Bearer ${adminToken.reveal()}` }
    const findings = webhooks.map(async ({ receiver, url }) => {
      const answer = await httpTransport(PATIENCE_MS)({
        method: 'POST',
        url: `${tillUrl}/admin/webhooks/test?receiver=${receiver}`,
        headers,
      }).catch(() => undefined)
      // Other checks report a till that does not run, or that refuses the token.
      if (answer?.status !== 200) return []
      const { host } = new URL(url)
      return [verdictOn(membersOf(membersOf(parseJson(answer.text)).attempt), { host, receiver })]
    })
    return (await Promise.all(findings)).flat()
  },
}

function verdictOn(
  { http_status: status, error, duration_ms: ms }: ReturnType<typeof membersOf>,
  { host, receiver }: { readonly host: string; readonly receiver: number },
): Finding {
  if (error === null) return pass(`${host} took a signed event for tests in ${foreignText(ms)} ms`)
  const why = typeof error === 'string' ? plainText(error.slice(0, 200)) : 'no answer'
  if (typeof status !== 'number') return fail(`${host} does not answer: ${why}`, webhookRemedy(null, why, receiver))
  return fail(`${host} refuses a signed event for tests: ${why}`, webhookRemedy(status, why, receiver))
}
