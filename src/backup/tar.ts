// Headers of tar files (POSIX ustar): regular files with short names, nothing else. Any tar program unpacks what we write.
// Our own, because an archive is untrusted and must be whole. tar-stream skips empty blocks wherever they stand and needs none at the end,
// so it accepts an archive that was cut between two members or that goes on after its end; it also applies pax headers of up to 4 MiB.

// Names inside an archive. They become paths below the folder that is restored to, so the grammar has no way out of it.
const LONGEST = 100
const MEMBER = /^[A-Za-z0-9][A-Za-z0-9._-]*(?:\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/

/** Relative, of plain parts: none is empty, hidden, "." or "..". */
export const isMemberName = (name: string): boolean => name.length <= LONGEST && MEMBER.test(name)

export const MANIFEST_NAME = 'manifest.json'

/** Bytes. Contents are padded to whole blocks, two empty ones end the file. */
export const BLOCK = 512

export interface TarMember {
  readonly name: string
  /** Bytes. */
  readonly size: number
}

const AT = {
  name: 0,
  mode: 100,
  owner: 108,
  group: 116,
  size: 124,
  time: 136,
  sum: 148,
  type: 156,
  magic: 257,
} as const
const PREFIX = { from: 345, to: 500 } as const
/** Sizes from 8 GiB up do not fit into eleven octal digits; GNU's form holds them. */
const OCTAL_LIMIT = 8 ** 11
const latin = new TextDecoder('latin1')

/** The 512 bytes before a member: mode 0600, owner 0. `seconds`: its time, since 1970. */
export function tarHeader({ name, size }: TarMember, seconds: number): Uint8Array {
  if (!isMemberName(name)) throw new RangeError(`not a member name: "${name}"`)
  const block = new Uint8Array(BLOCK)
  const put = (at: number, text: string): void => block.set(new TextEncoder().encode(text), at)
  put(AT.name, name)
  put(AT.mode, '0000600\0')
  put(AT.owner, '0000000\0')
  put(AT.group, '0000000\0')
  block.set(sizeField(size), AT.size)
  put(AT.time, `${Math.max(0, seconds).toString(8).padStart(11, '0')}\0`)
  put(AT.type, '0')
  put(AT.magic, 'ustar\x0000')
  put(AT.sum, `${sumOf(block).toString(8).padStart(6, '0')}\0 `)
  return block
}

function sizeField(size: number): Uint8Array {
  if (size < OCTAL_LIMIT) return new TextEncoder().encode(`${size.toString(8).padStart(11, '0')}\0`)
  const field = new Uint8Array(12)
  new DataView(field.buffer).setBigUint64(4, BigInt(size))
  field[0] = 0x80
  return field
}

/** Of all bytes, those of the sum itself taken as blanks. */
const sumOf = (block: Uint8Array): number =>
  block.reduce((sum, byte, at) => sum + (at >= AT.sum && at < AT.type ? 0x20 : byte), 0)

/** Undefined: the empty block that ends the file. Throws RangeError for everything that `tarHeader` would not write. */
export function readTarHeader(block: Uint8Array): TarMember | undefined {
  if (block.every((byte) => byte === 0)) return undefined
  if (octal(block, AT.sum, 8) !== sumOf(block)) throw new RangeError('a header does not add up')
  if (block[AT.type] !== 0x30) throw new RangeError('something other than a file is in it')
  if (block.subarray(PREFIX.from, PREFIX.to).some((byte) => byte !== 0)) throw new RangeError('a name is too long')
  const name = textAt(block, AT.name, 100)
  if (!isMemberName(name)) throw new RangeError(`a name leads out of the archive: "${name.slice(0, 60)}"`)
  return { name, size: sizeAt(block) }
}

function sizeAt(block: Uint8Array): number {
  if (block[AT.size] !== 0x80) return octal(block, AT.size, 12)
  const size = new DataView(block.buffer, block.byteOffset).getBigUint64(AT.size + 4)
  if (size > BigInt(Number.MAX_SAFE_INTEGER)) throw new RangeError('a size is beyond all bounds')
  return Number(size)
}

const textAt = (block: Uint8Array, at: number, length: number): string =>
  latin.decode(block.subarray(at, at + length)).replace(/\0.*$/s, '')

function octal(block: Uint8Array, at: number, length: number): number {
  const text = textAt(block, at, length).trim()
  if (!/^[0-7]{1,12}$/.test(text)) throw new RangeError('a header is damaged')
  return Number.parseInt(text, 8)
}

/** How many bytes follow a content of this size up to the next block. */
export const paddingOf = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK
