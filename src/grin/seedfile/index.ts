export { type Cost, DEFAULT_COST } from './document.js'
export { importGrinWalletSeed } from './grin-wallet.js'
export { chainOfSealedSeed, openSeed, requireSeedOf, sealSeed } from './seal.js'
export { takeKeychain } from './take-keychain.js'
