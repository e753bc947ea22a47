// Encryption of archives to an age recipient; streams, so that nothing passes through memory as a whole.
import { Decrypter, Encrypter } from 'age-encryption'
import { causedBy, messageOf } from '../lib/errors.js'
import { backupNotForYou, badIdentityFile, badRecipient } from './errors.js'

/** How every age file begins. */
export const AGE_HEAD = 'age-encryption.org/v1'
const RECIPIENT = /^age1[0-9a-z]+$/
const IDENTITY = /^AGE-SECRET-KEY-(?:PQ-)?1[0-9A-Z]+$/

type Bytes = AsyncIterable<Uint8Array>

/** What turns an archive into one that only this recipient opens. Throws BAD_RECIPIENT. */
export function createSeal(recipient: string): (content: Bytes) => Promise<Bytes> {
  const encrypter = new Encrypter()
  try {
    if (!RECIPIENT.test(recipient)) throw new RangeError('it does not begin with age1')
    encrypter.addRecipient(recipient)
  } catch (thrown) {
    throw causedBy(badRecipient(recipient), thrown)
  }
  return async (content) => piecesOf(await encrypter.encrypt(streamOf(content)))
}

/** The keys in a file of age-keygen. Throws BAD_IDENTITY_FILE, without a word of what is in it. */
export function readIdentities(path: string, text: string): readonly string[] {
  const lines = text.split('\n').map((line) => line.trim())
  const keys = lines.filter((line) => line !== '' && !line.startsWith('#'))
  if (keys.length === 0) throw badIdentityFile(path, 'it is empty')
  const decrypter = new Decrypter()
  for (const key of keys) {
    try {
      if (!IDENTITY.test(key)) throw new RangeError('not a key')
      decrypter.addIdentity(key)
    } catch {
      throw badIdentityFile(path, 'a line of it is something else')
    }
  }
  return keys
}

/** The content of a sealed archive. Throws BACKUP_NOT_FOR_YOU; what is damaged later ends the reading with an error. */
export async function unseal(path: string, content: Bytes, identities: readonly string[]): Promise<Bytes> {
  const decrypter = new Decrypter()
  for (const identity of identities) decrypter.addIdentity(identity)
  try {
    return piecesOf(await decrypter.decrypt(streamOf(content)))
  } catch (thrown) {
    throw messageOf(thrown).includes('no identity matched') ? backupNotForYou(path) : thrown
  }
}

/** Asked for piece by piece, as the library takes it. */
function streamOf(content: Bytes): ReadableStream<Uint8Array> {
  const iterator = content[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await iterator.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await iterator.return?.()
    },
  })
}

/** The pieces of what the library answers. */
async function* piecesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
