export { type Cost, DEFAULT_COST } from './document.js'
export { importGrinWalletSeed } from './grin-wallet.js'
export { chainOfSealedSeed, openSeed, type SealInput, sealSeed } from './seal.js'
