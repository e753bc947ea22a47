// An unlocked wallet: the library's wallet over the encrypted records, the node, and the prover in its worker.
import { CHAINS, checkNodeUrl } from './chains.js'
import { createProver, keychain, wallet } from './library.js'
import { openRecords, writeVault } from './stored.js'
import { resealVault } from './vault.js'

const nodeOf = ({ nodeUrl, nodeSecret }) =>
  wallet.createFetchNode({ url: nodeUrl, ...(nodeSecret && { secret: nodeSecret }) })

/** Opens the wallet of an opened vault. */
export async function openSession(opened) {
  const { vault, keys } = opened
  let { settings } = opened
  const chain = CHAINS[vault.chain]
  const records = await openRecords(keys)
  const prover = createProver({ threads: 1 })
  const purse = await wallet.openWallet({
    keychain: keychain.openKeychain(Uint8Array.from(settings.seed)),
    chainType: vault.chain,
    storage: records,
    prover,
    random: (length) => crypto.getRandomValues(new Uint8Array(length)),
    now: () => Date.now(),
  })
  let isRestoring = vault.restoring
  let node = nodeOf(settings)

  async function store(changes) {
    const again = await resealVault({ vault: { ...vault, restoring: isRestoring }, keys }, { ...settings, ...changes })
    await writeVault(again.vault)
    settings = again.settings
  }

  return {
    chain,
    wallet: purse,
    node: () => node,
    settings: () => ({ nodeUrl: settings.nodeUrl, nodeSecret: settings.nodeSecret ?? '' }),
    isRestoring: () => isRestoring,
    /** Stores the address of another node, if it answers and is of this network. */
    async saveNode({ nodeUrl, nodeSecret }) {
      const next = { nodeUrl: checkNodeUrl(nodeUrl), nodeSecret }
      const other = nodeOf(next)
      await purse.refresh({ node: other })
      await store(next)
      node = other
    },
    /** Remembers across reloads that a scan is to be finished, or that it is. */
    async setRestoring(value) {
      isRestoring = value
      await store({})
    },
    refresh: () => purse.refresh({ node }),
    restore: (options) => purse.restore({ ...options, node }),
    /** Stored in the wallet first; posted again at any time if the node does not take it now. */
    post: (slateId) => purse.post(slateId, { node }),
    async close() {
      await prover.close()
      await records.close()
    },
  }
}
