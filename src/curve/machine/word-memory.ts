// A stack allocator on WebAssembly memory.

// The part of the global `WebAssembly` that the machine uses: its types are those of the DOM or of Node, which the library does not need.
/** `WebAssembly.Memory`. */
export interface WebAssemblyMemory {
  readonly buffer: ArrayBuffer
  grow(pages: number): number
}

/** The global `WebAssembly`. */
export interface WebAssemblyApi {
  readonly Memory: new (size: { readonly initial: number }) => WebAssemblyMemory
  readonly Module: new (code: Uint8Array<ArrayBuffer>) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: Record<string, unknown> }
}

declare const WebAssembly: WebAssemblyApi

/** Where a number or point starts, in bytes. */
export type Address = number

const PAGE_BYTES = 65536
/** Pages a fresh memory has. */
export const FIRST_PAGES = 1

/** Memory whose first `reserved` bytes are never allocated. It grows as needed and does not shrink. */
export function createWordMemory(reserved: number) {
  const memory = new WebAssembly.Memory({ initial: FIRST_PAGES })
  let words = new Int32Array(memory.buffer)
  let used = reserved

  return {
    memory,
    /** The memory in 32-bit words; another array after every growth. */
    words: (): Int32Array => words,
    allocate(bytes: number): Address {
      const address = used
      used += bytes
      const missing = used - memory.buffer.byteLength
      if (missing > 0) {
        memory.grow(Math.ceil(missing / PAGE_BYTES))
        words = new Int32Array(memory.buffer)
      }
      return address
    },
    /** Runs `work` and frees its allocations. */
    borrow<T>(work: () => T): T {
      const before = used
      try {
        return work()
      } finally {
        used = before
      }
    },
  }
}
