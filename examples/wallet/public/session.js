// An unlocked wallet: the library's wallet over its vault, the node, and the prover in its worker.
import { CHAINS, checkNodeUrl } from './chains.js'
import { createProver, keychain, wallet } from './library.js'

const nodeOf = ({ nodeUrl, nodeSecret }) =>
  wallet.createFetchNode({ url: nodeUrl, ...(nodeSecret && { secret: nodeSecret }) })

/** Opens the wallet of an unlocked vault. */
export async function openSession({ vault, storage }) {
  const chain = CHAINS[vault.chainType]
  let settings = await vault.settings()
  let node = nodeOf(settings)
  const prover = createProver({ threads: 1 })
  const seed = await vault.seed()
  const purse = await wallet.openWallet({
    keychain: keychain.openKeychain(seed),
    chainType: vault.chainType,
    storage: vault.storage,
    prover,
  })
  seed.fill(0)

  async function store(changes) {
    const next = { ...settings, ...changes }
    await vault.saveSettings(next)
    settings = next
  }

  return {
    chain,
    wallet: purse,
    node: () => node,
    settings: () => ({ nodeUrl: settings.nodeUrl, nodeSecret: settings.nodeSecret ?? '' }),
    isRestoring: () => settings.restoring === true,
    /** Stores the address of another node, if it answers and is of this network. */
    async saveNode({ nodeUrl, nodeSecret }) {
      const next = { nodeUrl: checkNodeUrl(nodeUrl), nodeSecret }
      const other = nodeOf(next)
      await purse.refresh({ node: other })
      await store(next)
      node = other
    },
    /** Remembers across reloads that a scan is to be finished, or that it is. */
    setRestoring: (restoring) => store({ restoring }),
    refresh: () => purse.refresh({ node }),
    restore: (options) => purse.restore({ ...options, node }),
    /** Stored in the wallet first; posted again at any time if the node does not take it now. */
    post: (slateId) => purse.post(slateId, { node }),
    async close() {
      await prover.close()
      vault.lock()
      await storage.close()
    },
  }
}
