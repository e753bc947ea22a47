export { type Identity, type IdentitySources, openIdentity } from './identity.js'
export { decryptKey, encryptKey } from './nip49.js'
