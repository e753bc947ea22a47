// A Grin node of a real chain, as far as the doctor asks it: its newest block, and the first one.
import type { RequestListener } from 'node:http'
import { systemClock } from '../../src/system/index.js'
import { healthy } from '../chain/fake-node.js'

/** Hashes of the first blocks (grin: core/src/genesis.rs). */
const GENESIS = {
  mainnet: '40adad0aec27797b48840aa9e00472015c21baea118ce7a2ff1a82c0f8f5bf82',
  testnet: 'edc758c1370d43e1d733f70f58cf187c3be8242830429b1676b89fd91ccf2dab',
}

/** Of that chain, with a newest block of that age. */
export const nodeListener =
  (chain: keyof typeof GENESIS, ageMinutes = 0): RequestListener =>
  (request, answer) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      if (request.method === 'HEAD') return void answer.end()
      const { method, params } = JSON.parse(text)
      const at = new Date(systemClock.now() - ageMinutes * 60_000).toISOString()
      const reply = healthy(1000, at)({ method, params, authorization: undefined, path: undefined })
      const ok = typeof reply === 'object' && 'ok' in reply ? { Ok: reply.ok } : { Err: 'NotFound' }
      const first = { Ok: { height: 0, hash: GENESIS[chain], timestamp: at } }
      const result = method === 'get_header' && params[0] === 0 ? first : ok
      const body = JSON.stringify({ id: 1, jsonrpc: '2.0', result })
      answer.writeHead(200, { 'content-type': 'application/json' }).end(body)
    })
  }
