// Looks at the world before anything is written. A failed check is a warning: the world may be up later.
import { httpTransport, type Transport } from '../../client/index.js'
import { messageOf } from '../../lib/errors.js'
import { isPrivateHost } from '../../lib/private-host.js'
import type { Secret } from '../../lib/secret.js'
import { checkNodes } from '../checks.js'
import { isFree, LOOK_MS, type Look, resolves } from '../reachability.js'
import { isPaid, type NameauthAnswers, sellsOn } from './questions.js'

export interface WorldParts {
  readonly answers: NameauthAnswers
  /** Of the till, when it is known. */
  readonly token: Secret | undefined
  /** Where the present authority listens, which is no obstacle. */
  readonly ownBind: string | undefined
  readonly transport?: Transport
}

/** All at the same time. Never throws. */
export async function checkWorld(parts: WorldParts): Promise<readonly Look[]> {
  const { answers, ownBind, transport = httpTransport(LOOK_MS) } = parts
  const { domain = '', bind = '', pay_url: payUrl = '', node_url: nodes = '' } = answers
  const checks = [
    resolves('domain', domain),
    bind === ownBind ? [] : isFree(bind),
    isPaid(answers) ? tillAnswers(payUrl, parts.token, transport) : [],
    sellsOn(answers) ? nodesAnswer(nodes, transport) : [],
  ]
  return (await Promise.all(checks)).flat()
}

/** An invoice that does not exist tells both: whether invoices are made there, and whether the token is good. */
async function tillAnswers(url: string, token: Secret | undefined, transport: Transport): Promise<Look> {
  const isSafe = url.startsWith('https:') || isPrivateHost(new URL(url).hostname)
  const headers = token && isSafe ? { authorization: `Bearer ${token.reveal()}` } : undefined
  try {
    const { status } = await transport({
      method: 'GET',
      url: `${url}/invoice/setup-check`,
      who: 'the till',
      ...(headers && { headers }),
    })
    if (headers && (status === 401 || status === 403)) return { ok: false, text: `till ${url} refuses this API token` }
    const isTill = [400, 401, 403, 404].includes(status)
    const verdict = headers ? 'answers, and takes the API token' : 'answers'
    return { ok: isTill, text: `till ${url} ${isTill ? verdict : `answers ${status}`}` }
  } catch (error) {
    return { ok: false, text: `till ${url}: ${shorter(messageOf(error))}` }
  }
}

async function nodesAnswer(urls: string, transport: Transport): Promise<readonly Look[]> {
  const listed = urls.split(/[,\s]+/).filter((url) => url !== '')
  return (await checkNodes(listed, transport, '')).map(({ url, height, detail }) => ({
    ok: height !== undefined,
    text: `node ${url}: ${shorter(detail)}`,
  }))
}

/** The address was said already. */
const shorter = (text: string): string => text.replace(/ from the (?:till|node) at \S+/, '')
