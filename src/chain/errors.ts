import { defineError } from '../lib/errors.js'

export const nodeUnavailable = defineError('NODE_UNAVAILABLE', {
  status: 503,
  text: (reasons: string) => `no Grin node is usable: ${reasons}`,
  hint: 'check PAY_NODE_URL; several nodes can be named there, separated by commas',
})

/** One node gave no response, or an invalid one. */
export const nodeUnreachable = defineError('NODE_UNREACHABLE', {
  status: 503,
  text: (host: string, why: string) => `node ${host}: ${why}`,
  hint: 'check PAY_NODE_URL and the network; name a second node',
})

/** One node responded with an error. */
export const nodeRefused = defineError('NODE_REFUSED', {
  status: 502,
  text: (host: string, call: string, answer: string) => `node ${host} refused ${call}: ${answer}`,
  hint: 'check PAY_NODE_URL, or name another node',
})

/** For the name authority, which does not monitor its nodes. */
export const noNodeAnswers = defineError('NO_NODE_ANSWERS', {
  status: 503,
  text: (reasons: string) => `no Grin node answers: ${reasons}`,
  hint: 'check NAMEAUTH_GRIN_NODE_URL: whole addresses that end in /v2/foreign; several can be named, separated by commas',
})
