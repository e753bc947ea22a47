// Looks at the world for a relay: its name, its certificate, its port, and who answers for names.
import { connect } from 'node:tls'
import { httpTransport, type Transport } from '../../client/index.js'
import { messageOf } from '../../lib/errors.js'
import { membersOf, parseJson } from '../../lib/parse-json.js'
import { codeOf, isFree, LOOK_MS, type Look, resolves } from '../reachability.js'
import { hostOfRelay, isUpstream, type RelayAnswers } from './questions.js'

export interface RelayWorld {
  readonly answers: RelayAnswers
  /** Where the present relay listens, which is no obstacle. */
  readonly ownBind: string | undefined
  readonly transport?: Transport
}

/** All at the same time. Never throws. */
export async function checkRelayWorld(parts: RelayWorld): Promise<readonly Look[]> {
  const { answers, ownBind, transport = httpTransport(LOOK_MS) } = parts
  const { bind = '', authority_url: url = '' } = answers
  const checks = [
    publicLooks(answers),
    bind === ownBind ? [] : isFree(bind),
    isUpstream(answers) ? authorityAnswers(url, transport) : [],
  ]
  return (await Promise.all(checks)).flat()
}

/** Empty without a public address. */
async function publicLooks(answers: RelayAnswers): Promise<readonly Look[]> {
  const host = hostOfRelay(answers)
  const [first = ''] = (answers.relay_url ?? '').split(',')
  if (host === undefined) return []
  const known = await resolves('host', host)
  return known.ok && first.startsWith('wss:') ? [known, await secured(new URL(first))] : [known]
}

/** Before the proxy runs no server answers there, which is what the text says. */
function secured({ hostname, port }: URL): Promise<Look> {
  const at = `${hostname}:${port || 443}`
  return new Promise((done) => {
    const servername = /^[\d.[]/.test(hostname) ? '' : hostname
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 443), servername })
    const end = (ok: boolean, text: string) => {
      socket.destroy()
      done({ ok, text })
    }
    socket.setTimeout(LOOK_MS, () =>
      end(false, `nothing answers with TLS at ${at} yet (no answer within ${LOOK_MS / 1000} s)`),
    )
    socket.once('error', (error) =>
      end(false, `nothing answers with a good certificate at ${at} yet (${codeOf(error)})`),
    )
    socket.once('secureConnect', () => end(true, `${at} has a certificate that is good`))
  })
}

/** Its health, and a document as Nostr clients ask for it (NIP-05). */
async function authorityAnswers(url: string, transport: Transport): Promise<readonly Look[]> {
  try {
    const health = await transport({ method: 'GET', url: `${url}/api/v1/health`, who: 'the name authority' })
    if (health.text !== 'ok')
      return [{ ok: false, text: `${url} answers ${health.status}, but not as a name authority does` }]
    const document = await transport({
      method: 'GET',
      url: `${url}/.well-known/nostr.json?name=_`,
      who: 'the name authority',
    })
    const { names } = membersOf(parseJson(document.text))
    const isGood = document.status === 200 && typeof names === 'object' && names !== null
    const what = isGood ? 'answers, and serves names' : `serves no names: ${document.status}`
    return [{ ok: isGood, text: `name authority ${url} ${what}` }]
  } catch (error) {
    return [{ ok: false, text: `name authority ${url}: ${messageOf(error).replace(/ from the till at \S+/, '')}` }]
  }
}
