// The name authority: whether it answers where the relay looks for it, and whether the world finds its document here.
import { membersOf, parseJson } from '../../lib/parse-json.js'
import { ask, type ProbeAnswer, type Silence } from '../ask.js'
import { type Finding, fail, pass, warn } from '../finding.js'
import { PROXY, type RelayCheck, type RelayDoctorContext } from './context.js'
import { localUrl } from './daemon-check.js'

const DOCUMENT = '/.well-known/nostr.json?name=_'

export const namesCheck: RelayCheck = {
  name: 'names',
  limitMs: 30_000,
  applies: ({ authority, policy }) => authority.mode !== 'off' || policy.requireName || policy.payMode === 'write',
  async run(context) {
    const own = await authorityFinding(context)
    if (context.config.authority.mode === 'off' || own.level === 'fail') return [own]
    return [own, ...(await publicFindings(context))]
  },
}

async function authorityFinding(context: RelayDoctorContext): Promise<Finding> {
  const { mode, upstream } = context.config.authority
  const at = mode === 'in-process' ? localUrl(context) : upstream
  const remedy =
    mode === 'in-process'
      ? 'systemctl start grinpay-relay; journalctl -u grinpay-relay'
      : 'systemctl start grinpay-nameauth, or correct authority.upstream; grinpay doctor --daemon nameauth'
  const health = await ask({ url: `${at}/api/v1/health`, signal: context.signal })
  if ('why' in health) return fail(`the name authority at ${at} cannot be reached: ${health.why}`, remedy)
  if (health.text !== 'ok') return fail(`${at} answers ${health.status}, but not as a name authority does`, remedy)
  const document = await ask({ url: `${at}${DOCUMENT}`, signal: context.signal })
  return isDocument(document) ? pass(`the name authority answers at ${at}`) : fail(`${at} serves no names`, remedy)
}

const isDocument = (answer: ProbeAnswer | Silence): boolean => {
  if ('why' in answer || answer.status !== 200) return false
  const { names } = membersOf(parseJson(answer.text))
  return typeof names === 'object' && names !== null
}

async function publicFindings({ config, signal }: RelayDoctorContext): Promise<readonly Finding[]> {
  const [first] = config.relay.info.relayUrls
  if (first === undefined) return []
  const url = `${first.replace(/^ws/, 'http').replace(/\/+$/, '')}${DOCUMENT}`
  const answer = await ask({ url, signal })
  if ('why' in answer) return [] // the check of the address reports it
  if (answer.status >= 300 && answer.status < 400)
    return [fail(`${url} redirects, which NIP-05 forbids`, 'answer this path on the very host')]
  if (!isDocument(answer))
    return [
      fail(`${url} answers ${answer.status} without names`, `the proxy must pass /.well-known/nostr.json: ${PROXY}`),
    ]
  return answer.headers['access-control-allow-origin'] === '*'
    ? [pass(`${url} is found`)]
    : [warn(`${url} lacks Access-Control-Allow-Origin: *, so web clients cannot read it`, PROXY)]
}
