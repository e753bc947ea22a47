// The networks of this page. Mainnet is none; the library refuses a node of another network than the wallet's.
export const CHAINS = {
  sandbox: { name: 'Sandbox (play money)', nodeUrl: 'http://127.0.0.1:8421', confirmations: 1, everySeconds: 3 },
  usernet: { name: 'Private chain (usernet)', nodeUrl: 'http://127.0.0.1:23413', confirmations: 1, everySeconds: 3 },
  testnet: { name: 'Testnet', nodeUrl: 'http://127.0.0.1:13413', confirmations: 10, everySeconds: 30 },
}

/** What the page says to the user, in words. */
export class Refusal extends Error {}

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
