// A passkey authenticator in software: ES256, no attestation, as phones make it. Formats: WebAuthn level 2, 6.1 and 6.5.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

interface Options {
  readonly challenge: string
  readonly origin: string
  readonly rpID: string
}

const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest()
const base64url = (data: string | Uint8Array): string => Buffer.from(data).toString('base64url')

/** Bytes and texts of CBOR, shorter than 64 KiB. */
function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([major | length])
  return Buffer.from(length < 256 ? [major | 24, length] : [major | 25, length >> 8, length & 0xff])
}
const cborBytes = (data: Uint8Array): Buffer => Buffer.concat([head(0x40, data.length), data])
const cborText = (text: string): Buffer => Buffer.concat([head(0x60, text.length), Buffer.from(text)])

const PRESENT_AND_VERIFIED = 0x05
const PRESENT = 0x01
const WITH_CREDENTIAL = 0x40

export function createAuthenticator({ verifies = true }: { readonly verifies?: boolean } = {}) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = publicKey.export({ format: 'jwk' })
  const [x, y] = [jwk.x, jwk.y].map((part) => Buffer.from(part ?? '', 'base64url'))
  const id = randomBytes(32)
  const flags = verifies ? PRESENT_AND_VERIFIED : PRESENT
  let counter = 0

  const clientData = (type: string, { challenge, origin }: Options): string =>
    JSON.stringify({ type, challenge, origin, crossOrigin: false })

  function authData(rpID: string, extra: Uint8Array = Buffer.alloc(0)): Buffer {
    const numbers = Buffer.alloc(5)
    numbers[0] = extra.length > 0 ? flags | WITH_CREDENTIAL : flags
    numbers.writeUInt32BE(counter, 1)
    return Buffer.concat([sha256(rpID), numbers, extra])
  }

  /** {1: 2, 3: -7, -1: 1, -2: x, -3: y} */
  const coseKey = (): Buffer =>
    Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
      cborBytes(x ?? Buffer.alloc(0)),
      Buffer.from([0x22]),
      cborBytes(y ?? Buffer.alloc(0)),
    ])

  const credential = (response: object): string =>
    JSON.stringify({
      id: base64url(id),
      rawId: base64url(id),
      type: 'public-key',
      clientExtensionResults: {},
      response,
    })

  return {
    id,
    /** The next signature counts from here. */
    setCounter(value: number): void {
      counter = value
    },
    register(options: Options): string {
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, coseKey()])
      const attestationObject = Buffer.concat([
        Buffer.from([0xa3]),
        ...[cborText('fmt'), cborText('none'), cborText('attStmt'), Buffer.from([0xa0]), cborText('authData')],
        cborBytes(authData(options.rpID, attested)),
      ])
      const clientDataJSON = base64url(clientData('webauthn.create', options))
      return credential({ clientDataJSON, attestationObject: base64url(attestationObject), transports: ['internal'] })
    },
    signIn(options: Options): string {
      counter++
      const client = clientData('webauthn.get', options)
      const authenticatorData = authData(options.rpID)
      const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(client)]), privateKey)
      return credential({
        clientDataJSON: base64url(client),
        authenticatorData: base64url(authenticatorData),
        signature: base64url(signature),
        userHandle: base64url('somebody'),
      })
    },
  }
}
