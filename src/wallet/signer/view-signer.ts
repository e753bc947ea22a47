// The signer of a wallet that only watches: it has the view key and nothing else.
import { blake2b256 } from '../../grin/crypto/index.js'
import { formatPath, viewOutput } from '../../grin/keychain/index.js'
import type { ViewKey } from '../../grin/kinds/index.js'
import { toHex, utf8 } from '../../lib/bytes.js'
import { walletWatchOnly } from '../errors.js'
import type { ProvenOutput } from '../node/node.js'
import type { FoundOutput } from '../scan/rewind.js'
import type { Signer } from './signer.js'

const refusing = (what: string) => async (): Promise<never> => {
  throw walletWatchOnly(what)
}
const refuses = refusing('sign')
const refusesAddresses = refusing('make addresses, or read and write slatepacks')

/** Every verb but those of looking rejects with WALLET_WATCH_ONLY. Its storage is another one than that of the seed's wallet. */
export const createViewSigner = (viewKey: ViewKey): Signer => ({
  identity: async () => toHex(blake2b256(utf8('grinpay watch-only wallet 1'), viewKey)),
  viewKey: async () => viewKey,
  identify: async (outputs) => outputs.flatMap((output) => identify(viewKey, output)),
  outputs: refuses,
  address: refusesAddresses,
  addresses: refusesAddresses,
  readSlatepack: refusesAddresses,
  writeSlatepack: refusesAddresses,
  beginSend: refuses,
  finishSend: refuses,
  receive: refuses,
  beginInvoice: refuses,
  finishInvoice: refuses,
  pay: refuses,
})

/** As the signer of a seed does it, but for the commitment, which the view key cannot compute. */
function identify(viewKey: ViewKey, chain: ProvenOutput): FoundOutput[] {
  const own = viewOutput(viewKey, chain.commitment, chain.proof)
  if (own?.switchType !== 'regular') return []
  return [{ commitment: toHex(chain.commitment), path: formatPath(own.identifier), value: own.value, chain }]
}
