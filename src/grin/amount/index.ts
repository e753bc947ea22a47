export { formatGrin, type NanoGrin, nanoGrin, parseGrin } from './nano-grin.js'
