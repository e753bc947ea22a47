export { decrypt, type EncryptionContext, encrypt, type Nip44Version } from './nip44.js'
export { type PayloadRefusal, readPayload } from './payload.js'
