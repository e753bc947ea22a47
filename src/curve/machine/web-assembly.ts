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
