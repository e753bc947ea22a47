// The Foreign API behind the onion service, on its loopback port.

import { type HttpResponse, httpTransport } from '../../client/index.js'
import { membersOf, parseJson } from '../../lib/parse-json.js'
import { PATIENCE_MS } from '../ask.js'
import type { DoctorCheck } from '../check.js'
import { fail, pass, warn } from '../finding.js'

const BODY = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'check_version', params: [] })
const TOO_MANY = 429
const LATER = 'wait a minute, then grinpay doctor --check foreign'
const START = 'start the till with PAY_GRIN1_RAIL=on, or set PAY_GRIN1_FOREIGN_PORT to a free port'

export const foreignCheck: DoctorCheck = {
  name: 'foreign',
  limitMs: 15_000,
  applies: ({ grin1Rail }) => grin1Rail,
  async run({ config }) {
    const url = `http://127.0.0.1:${config.grin1ForeignPort}/v2/foreign`
    const headers = { 'content-type': 'application/json' }
    const answer = await httpTransport(PATIENCE_MS)({ method: 'POST', url, headers, body: BODY }).catch(() => undefined)
    if (!answer) return [fail(`nothing answers at ${url}`, START)]
    if (answer.status === TOO_MANY) return [warn(`${url} is asked too often just now`, LATER)]
    const version = versionIn(answer)
    if (version === undefined) return [fail(`${url} answers ${answer.status}, but not as a wallet does`, START)]
    return [pass(`version ${version} answers at ${url}`)]
  },
}

function versionIn({ text }: HttpResponse): number | undefined {
  const { result } = membersOf(parseJson(text))
  const version = membersOf(membersOf(result).Ok).foreign_api_version
  return typeof version === 'number' ? version : undefined
}
