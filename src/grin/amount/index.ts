export { formatGrin, type NanoGrin, nanoGrin, parseGrin, parsePrice } from './nano-grin.js'
