export { type Context, decrypt, encrypt, type Nip44Version } from './nip44.js'
export { type PayloadRefusal, readPayload } from './payload.js'
