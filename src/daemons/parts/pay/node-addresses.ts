// The nodes to ask, with the API secret of the operator's own one.
import type { Secret } from '../../../lib/secret.js'

/** A Grin node wants this user name beside its API secret. */
const NODE_USER = 'grin'

interface NodeSettings {
  /** Best first. */
  readonly nodeUrls: readonly string[]
  readonly nodeSecret: Secret | undefined
}

/** The secret goes to the first node only: the others usually belong to third parties. Never log the result. */
export const nodeAddresses = ({ nodeUrls, nodeSecret }: NodeSettings): readonly string[] =>
  nodeUrls.map((text, index) => {
    if (index > 0 || !nodeSecret) return text
    const url = new URL(text)
    url.username = NODE_USER
    url.password = encodeURIComponent(nodeSecret.reveal())
    return url.href
  })
