export { type Identity, type IdentitySources, openIdentity, parseSecretKey } from './identity.js'
export { decryptKey, encryptKey } from './nip49.js'
