// Tor: whether its control port lets us in, how far it has joined its network, and whether our onion service is published.
import { type HttpResponse, httpTransport } from '../../client/index.js'
import { formatOnion, parseAddress } from '../../grin/slatepack/index.js'
import { membersOf, parseJson } from '../../lib/parse-json.js'
import { openControl, readProgress, type TorControl } from '../../tor/index.js'
import { PATIENCE_MS } from '../ask.js'
import type { DoctorCheck, TillDoctorContext } from '../check.js'
import { type Finding, fail, failed, pass, warn } from '../finding.js'

const INSTALL = 'apt install tor, and see docs/troubleshooting.md'
const FETCH_MS = 30_000
const OFF = warn(
  'PAY_TOR_CONTROL=off: another program keeps the onion service, so it is not checked',
  'PAY_TOR_CONTROL=unix:/run/tor/control',
)

export const torCheck: DoctorCheck = {
  name: 'tor',
  limitMs: 80_000,
  applies: ({ grin1Rail }) => grin1Rail,
  run: (context) =>
    withTor(context, async (tor) => {
      const progress = await progressOf(tor)
      const found = [pass(`tor ${tor.version} lets us in`), progress]
      return progress.level === 'fail' ? found : [...found, await onionFinding(tor, context)]
    }),
}

async function withTor(
  { config, clock, random, signal }: TillDoctorContext,
  look: (tor: TorControl) => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  const { torControl: endpoint, torPassword: password } = config
  if (!endpoint) return [OFF]
  try {
    const tor = await openControl({ endpoint, password, clock, random }, signal)
    return await look(tor).finally(() => tor.close())
  } catch (thrown) {
    return [failed(thrown, INSTALL)]
  }
}

async function progressOf(tor: TorControl): Promise<Finding> {
  const progress = await readProgress(tor)
  if (!progress) return warn('tor does not say how far it is', 'journalctl -u tor@default')
  const { percent, step } = progress
  if (percent === 100) return pass('tor has joined its network')
  return fail(
    `tor is joining its network: ${percent} %, ${step}`,
    'wait; when it stays there, journalctl -u tor@default says why',
  )
}

async function onionFinding(tor: TorControl, context: TillDoctorContext): Promise<Finding> {
  const onion = await onionOf(context)
  if (await isServed(tor, onion)) return publicationOf(tor, onion, context)
  return fail(
    `tor does not serve ${onion}.onion`,
    'start the till; journalctl -u grinpay-pay says why tor did not take the service',
  )
}

/** The address key of the wallet is the key of the service. */
async function onionOf({ address, config }: TillDoctorContext): Promise<string> {
  return formatOnion(parseAddress(await address(), config.chain === 'mainnet' ? 'grin' : 'tgrin'))
}

/** Whether this tor has made a descriptor for the service, whichever program handed it over. */
const isServed = (tor: TorControl, onion: string): Promise<boolean> =>
  tor.ask('GETINFO', `hs/service/desc/id/${onion}`).then(
    () => true,
    () => false,
  )

/** Has tor fetch the descriptor back from the network, as a payer's tor would. */
async function publicationOf(tor: TorControl, onion: string, { clock, signal }: TillDoctorContext): Promise<Finding> {
  const heard = new AbortController()
  let reason = ''
  tor.listen((line) => {
    const [event, action, service] = line.split(' ', 3)
    if (event !== 'HS_DESC' || service !== onion) return
    if (action === 'RECEIVED') heard.abort()
    if (action === 'FAILED') reason = /REASON=(\w+)/.exec(line)?.[1] ?? reason
  })
  const askedAt = clock.now()
  await tor.ask('SETEVENTS', 'HS_DESC')
  await tor.ask('HSFETCH', onion)
  await clock.sleep(FETCH_MS, AbortSignal.any([heard.signal, signal]))
  if (heard.signal.aborted) return pass(`${onion}.onion is published: fetched back in ${clock.now() - askedAt} ms`)
  return warn(
    `${onion}.onion is served, but its descriptor could not be fetched back${reason === '' ? '' : ` (${reason})`}`,
    'wait some minutes after a start of tor or of the till, then grinpay doctor --check tor',
  )
}

// The Foreign API behind the onion service, on its loopback port.

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
