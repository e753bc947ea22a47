// A WebAssembly assembler for straight-line arithmetic: no branches, no tables, one memory.
// Binary format: WebAssembly Core Specification, section 5.

/** Unsigned LEB128. */
function unsigned(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)]
}

/** Signed LEB128. */
function signed(value: bigint): number[] {
  const low = Number(BigInt.asUintN(7, value))
  const rest = value >> 7n
  const done = rest === (low & 64 ? -1n : 0n)
  return done ? [low] : [low | 128, ...signed(rest)]
}

const vector = (items: readonly number[][]): number[] => [...unsigned(items.length), ...items.flat()]
const sized = (bytes: readonly number[]): number[] => [...unsigned(bytes.length), ...bytes]
const section = (id: number, content: readonly number[]): number[] => [id, ...sized(content)]

const I32 = 0x7f
const I64 = 0x7e
const WORD_ALIGNMENT = 2

/** The needed instructions by name. Each is a list of bytes, so code is concatenation. */
export const op = {
  get: (local: number): number[] => [0x20, ...unsigned(local)],
  set: (local: number): number[] => [0x21, ...unsigned(local)],
  tee: (local: number): number[] => [0x22, ...unsigned(local)],
  call: (index: number): number[] => [0x10, ...unsigned(index)],
  /** Pushes a 64-bit constant. */
  constant: (value: bigint): number[] => [0x42, ...signed(value)],
  /** Pushes a 32-bit constant, here always an address. */
  address: (value: number): number[] => [0x41, ...signed(BigInt(value))],
  addAddress: [0x6a],
  /** Pops an address, pushes the signed 32-bit word `offset` bytes after it, widened to 64 bits. */
  load: (offset: number): number[] => [0x34, WORD_ALIGNMENT, ...unsigned(offset)],
  /** Pops value and address, stores the low 32 bits. */
  store: (offset: number): number[] => [0x3e, WORD_ALIGNMENT, ...unsigned(offset)],
  add: [0x7c],
  subtract: [0x7d],
  multiply: [0x7e],
  and: [0x83],
  shiftLeft: [0x86],
  /** Arithmetic: rounds down, also below zero. */
  shiftRight: [0x87],
} as const

/** A function of addresses without a result; its 64-bit locals follow the parameters. */
export interface Routine {
  readonly name: string
  readonly parameters: number
  readonly locals: number
  readonly code: readonly number[]
}

/** The bytes of a module that exports every routine under its name, and imports its memory as `env.memory`. */
export function assemble(routines: readonly Routine[], memoryPages: number): Uint8Array<ArrayBuffer> {
  const text = (name: string): number[] => sized([...new TextEncoder().encode(name)])
  const types = routines.map(({ parameters }) => [0x60, ...vector(new Array(parameters).fill([I32])), 0])
  const bodies = routines.map(({ locals, code }) => sized([...vector([[...unsigned(locals), I64]]), ...code, 0x0b]))
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, vector(types)),
    ...section(2, vector([[...text('env'), ...text('memory'), 0x02, 0x00, ...unsigned(memoryPages)]])),
    ...section(3, vector(routines.map((_, index) => unsigned(index)))),
    ...section(7, vector(routines.map(({ name }, index) => [...text(name), 0x00, ...unsigned(index)]))),
    ...section(10, vector(bodies)),
  ])
}
