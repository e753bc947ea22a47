export { createTransfers } from './transfers.js'
