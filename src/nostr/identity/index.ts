export { identityConflict, identityDamaged, identityPasswordMissing, identityWrongPassword } from './errors.js'
export { type Identity, type IdentityFile, type IdentitySources, openIdentity } from './identity.js'
export { decryptKey, encryptKey, type RandomSource } from './nip49.js'
