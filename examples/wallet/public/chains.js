// The networks of this page, and the check that a node is of one of them. Mainnet is none.
export const CHAINS = {
  sandbox: { name: 'Sandbox (play money)', nodeUrl: 'http://127.0.0.1:8421', confirmations: 1, everySeconds: 3 },
  usernet: { name: 'Private chain (usernet)', nodeUrl: 'http://127.0.0.1:23413', confirmations: 1, everySeconds: 3 },
  testnet: { name: 'Testnet', nodeUrl: 'http://127.0.0.1:13413', confirmations: 10, everySeconds: 30 },
}

/** Hash of the first block, from which the chains differ. */
const FIRST_BLOCKS = {
  '40adad0aec27797b48840aa9e00472015c21baea118ce7a2ff1a82c0f8f5bf82': 'mainnet',
  edc758c1370d43e1d733f70f58cf187c3be8242830429b1676b89fd91ccf2dab: 'testnet',
}

/** What the page says to the user, in words. */
export class Refusal extends Error {}

/** Throws a Refusal for a node of mainnet, or of another network than the wallet's. */
export async function checkNode(node, chain, signal) {
  const hash = await node.blockHash(0, { signal })
  const found = FIRST_BLOCKS[hash ?? ''] ?? 'private'
  if (found === 'mainnet') throw new Refusal('This node is of mainnet. The page is for test networks only.')
  if (chain === 'testnet' && found !== 'testnet') throw new Refusal('This node is not of the testnet.')
  if (chain !== 'testnet' && found === 'testnet')
    throw new Refusal('This node is of the testnet, and this wallet is not.')
}

/** Throws a Refusal for an address that the page's security policy would not let it reach. */
export function checkNodeUrl(text) {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'http:' || !['127.0.0.1', 'localhost'].includes(url.hostname))
    throw new Refusal('The page only speaks to a node on this machine: http://127.0.0.1 and a port.')
  return url.origin
}

/** An address to encrypt to, or undefined for an empty field. Throws a Refusal for one of mainnet. */
export function readRecipient(text) {
  const address = text.trim().toLowerCase()
  if (address === '') return undefined
  if (address.startsWith('grin1'))
    throw new Refusal('This is an address of mainnet. The page is for test networks only.')
  return address
}
