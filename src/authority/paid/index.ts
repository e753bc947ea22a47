export { createPaidAccess } from './paid-access.js'
