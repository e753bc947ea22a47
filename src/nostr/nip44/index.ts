export { type Context, type Decrypted, decrypt, encrypt, type Nip44Version } from './nip44.js'
export { type Payload, type PayloadRefusal, readPayload } from './payload.js'
