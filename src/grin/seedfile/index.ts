export { type Cost, DEFAULT_COST } from './document.js'
export {
  chainOfSealedSeed,
  importGrinWalletSeed,
  openSeed,
  requireSeedOf,
  sealSeed,
  takeKeychain,
  weakPassword,
} from './seal.js'
