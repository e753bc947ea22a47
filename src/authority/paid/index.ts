export { createPaidAccess, type PaidParts } from './paid-access.js'
