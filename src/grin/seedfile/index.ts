export { type Cost, DEFAULT_COST } from './document.js'
export { importGrinWalletSeed } from './grin-wallet.js'
export { chainOfSealedSeed, openSeed, requireSeedOf, sealSeed, takeKeychain, weakPassword } from './seal.js'
