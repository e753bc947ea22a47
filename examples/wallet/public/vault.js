// The passphrase: PBKDF2 makes a key of it, HKDF makes three keys of that one. All of it is the browser's Web Crypto.
import { Refusal } from './chains.js'

const ITERATIONS = 600_000
const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Keys for the settings, for the records of the wallet and for the names of the records. None can be exported. */
async function keysOf(passphrase, { salt, iterations }) {
  const { subtle } = crypto
  const secret = await subtle.importKey('raw', encoder.encode(passphrase.normalize('NFKC')), 'PBKDF2', false, [
    'deriveBits',
  ])
  const bits = await subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt, iterations }, secret, 256)
  const root = await subtle.importKey('raw', bits, 'HKDF', false, ['deriveKey'])
  const derive = (purpose, kind, uses) =>
    subtle.deriveKey(
      { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: encoder.encode(`grin wallet example ${purpose}`) },
      root,
      kind,
      false,
      uses,
    )
  const cipher = { name: 'AES-GCM', length: 256 }
  const [settings, records, names] = await Promise.all([
    derive('settings', cipher, ['encrypt', 'decrypt']),
    derive('records', cipher, ['encrypt', 'decrypt']),
    derive('names', { name: 'HMAC', hash: 'SHA-256', length: 256 }, ['sign']),
  ])
  return { settings, records, names }
}

/** Encrypts JSON, bound to `purpose`: 12 random bytes, then the ciphertext with its tag. */
export async function seal(key, purpose, value) {
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const options = { name: 'AES-GCM', iv, additionalData: encoder.encode(purpose) }
  const sealed = new Uint8Array(await crypto.subtle.encrypt(options, key, encoder.encode(JSON.stringify(value))))
  const bytes = new Uint8Array(iv.length + sealed.length)
  bytes.set(iv)
  bytes.set(sealed, iv.length)
  return bytes
}

/** Rejects with an OperationError for another key, another purpose or changed bytes. */
export async function open(key, purpose, bytes) {
  const options = { name: 'AES-GCM', iv: bytes.subarray(0, 12), additionalData: encoder.encode(purpose) }
  return JSON.parse(decoder.decode(await crypto.subtle.decrypt(options, key, bytes.subarray(12))))
}

const SETTINGS = 'settings'

/**
 * What is stored of a new wallet beside its records. `settings` is encrypted JSON: the seed (a list of byte values), the node's address and
 * its secret.
 */
export async function makeVault(passphrase, settings, { chain, restoring }) {
  const salt = crypto.getRandomValues(new Uint8Array(16))
  const keys = await keysOf(passphrase, { salt, iterations: ITERATIONS })
  const sealed = await seal(keys.settings, SETTINGS, settings)
  return { vault: { version: 1, chain, restoring, salt, iterations: ITERATIONS, sealed }, keys, settings }
}

/** Throws a Refusal for another passphrase. */
export async function openVault(passphrase, vault) {
  const keys = await keysOf(passphrase, vault)
  const settings = await open(keys.settings, SETTINGS, vault.sealed).catch(() => {
    throw new Refusal('This is not the passphrase.')
  })
  return { vault, keys, settings }
}

/** The vault with other settings. */
export const resealVault = async ({ vault, keys }, settings) => ({
  vault: { ...vault, sealed: await seal(keys.settings, SETTINGS, settings) },
  keys,
  settings,
})
