export { createTransfers, type TransferParts } from './transfers.js'
