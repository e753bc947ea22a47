// The front door of `@grinpay/grin`: one namespace per subject, each also a subpath (`@grinpay/grin/receive`).
/** GRIN as text and as nanogrin. */
export * as amount from './amount.js'
/** Commitments, range proofs, aggregated signatures: the parts that the other namespaces are made of. */
export * as crypto from './crypto.js'
/** The class of all expected failures. */
export * as errors from './errors.js'
/** The invoice flow of both sides: I1, I2, I3. */
export * as invoice from './invoice.js'
/** Seeds, words (BIP39), key paths, blinding factors. */
export * as keychain from './keychain.js'
/** Payment proofs. */
export * as proof from './proof.js'
/** Receiving in the standard flow: S1 in, S2 out. */
export * as receive from './receive.js'
/** A wallet's own outputs among those of the chain. */
export * as scan from './scan.js'
/** Paying in the standard flow: S1 out, S2 in, transaction out. */
export * as send from './send.js'
/** Slates of version 4, binary and JSON. */
export * as slate from './slate.js'
/** Slatepacks, plain and encrypted, and addresses (`grin1…`, onion, age). */
export * as slatepack from './slatepack.js'
/** Transactions of a node, fees, kernels, and the checks of a node's pool. */
export * as tx from './tx.js'
/** A seed and everything that a wallet stores, encrypted under a password. */
export * as vault from './vault.js'
export { version } from './version.js'
/** A wallet over a storage: accounts, coin selection, both flows, refresh, restore. */
export * as wallet from './wallet.js'
