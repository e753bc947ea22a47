// Kinds of values that have one shape: 32 bytes may be a secret seed or a public key. Two kinds do not stand for each other, neither for
// the compiler nor at run time. Bytes and numbers of no kind, such as those that a caller read from a file, stand for every kind.
declare const KIND: unique symbol

/** Bytes with a meaning. Plain bytes are accepted where these are asked for, bytes of another kind are not. */
export type BytesOf<Kind extends string> = Uint8Array & { readonly [KIND]?: Kind }
/** A number with a meaning. A plain bigint is accepted where these are asked for, one of another kind is not. */
export type NumberOf<Kind extends string> = bigint & { readonly [KIND]?: Kind }

const kinds = new WeakMap<Uint8Array, string>()

/** Remembers what these bytes are; a copy of them is of no kind. */
export function ofKind<Kind extends string>(kind: Kind, bytes: Uint8Array): BytesOf<Kind> {
  kinds.set(bytes, kind)
  return bytes
}

/** Whether the bytes are known to be of this kind. */
export const isOfKind = (kind: string, bytes: Uint8Array): boolean => kinds.get(bytes) === kind

/** Throws RangeError for bytes that are known to be of another kind. */
export function checkKind<Kind extends string>(kind: Kind, bytes: Uint8Array, what: string = kind): BytesOf<Kind> {
  const known = kinds.get(bytes) ?? kind
  if (known !== kind) throw new RangeError(`${what}: these bytes are the ${known}, not the ${kind}`)
  return bytes
}
