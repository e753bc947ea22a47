// The few types of the web platform that the library names. Its declarations then compile in a program with neither the DOM nor Node among
// its types; the platform's own objects fit them.

/** The platform's `AbortSignal` where the program has its type, otherwise what the library uses of it. */
export type WebAbortSignal = typeof globalThis extends { AbortSignal: { prototype: infer Signal } }
  ? Signal
  : PlainAbortSignal

interface PlainAbortSignal {
  readonly aborted: boolean
  readonly reason: unknown
  throwIfAborted(): void
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once?: boolean }): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/** What the library passes to `fetch`. */
export interface WebRequest {
  readonly method?: string
  readonly headers?: unknown
  readonly body?: unknown
  readonly redirect?: string
  readonly signal?: unknown
}

/** What the library reads of a `Response`. */
export interface WebResponse {
  readonly status: number
  readonly body: { getReader(): WebReader } | null
}

interface WebReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>
}

/** `fetch`, also that of the platform: a method, because parameters of methods are compared in both directions. */
export type WebFetch = { fetch(url: string, request: WebRequest): Promise<WebResponse> }['fetch']

/** A `Worker` of a page. */
export interface WebWorker {
  postMessage(message: unknown): void
  terminate(): void
  addEventListener<T extends keyof WebWorkerEvents>(type: T, listener: (event: WebWorkerEvents[T]) => void): void
  removeEventListener<T extends keyof WebWorkerEvents>(type: T, listener: (event: WebWorkerEvents[T]) => void): void
}

/** What a worker's page hears of it. */
export interface WebWorkerEvents {
  readonly message: { readonly data: unknown }
  /** Without a text: the script could not be loaded. */
  readonly error: { readonly message?: string }
  readonly messageerror: object
}

type Listener = ((event: never) => unknown) | null

/** An `IDBFactory`. */
export interface WebDatabaseFactory {
  open(name: string, version?: number): WebOpenRequest
}

/** An `IDBRequest`. */
interface WebDatabaseRequest<T> {
  readonly result: T
  readonly error: { readonly message: string } | null
  onsuccess: Listener
  onerror: Listener
}

/** An `IDBOpenDBRequest`. */
export interface WebOpenRequest extends WebDatabaseRequest<WebDatabase> {
  onupgradeneeded: Listener
  onblocked: Listener
}

/** An `IDBDatabase`. */
export interface WebDatabase {
  onversionchange: Listener
  createObjectStore(name: string, options?: { readonly keyPath?: string }): unknown
  transaction(
    stores: string[],
    mode: 'readonly' | 'readwrite',
    options?: { readonly durability?: 'strict' },
  ): WebTransaction
  close(): void
}

/** An `IDBTransaction`. */
export interface WebTransaction {
  readonly error: { readonly message: string } | null
  oncomplete: Listener
  onabort: Listener
  objectStore(name: string): WebObjectStore
}

/** An `IDBObjectStore`. */
interface WebObjectStore {
  get(key: string): WebDatabaseRequest<unknown>
  getAll(): WebDatabaseRequest<unknown[]>
  put(value: unknown, key?: string): unknown
  delete(key: string): unknown
}

/** A `CryptoKey`. */
export interface WebCipherKey {
  readonly extractable: boolean
}

/** What the library uses of `crypto.subtle`. */
export interface WebSubtle {
  importKey(
    format: 'raw',
    bytes: Uint8Array,
    kind: string,
    extractable: false,
    uses: readonly string[],
  ): Promise<WebCipherKey>
  unwrapKey(
    format: 'raw',
    wrapped: Uint8Array,
    by: WebCipherKey,
    cipher: object,
    kind: string,
    extractable: false,
    uses: readonly string[],
  ): Promise<WebCipherKey>
  deriveKey(
    by: object,
    from: WebCipherKey,
    kind: object,
    extractable: false,
    uses: readonly string[],
  ): Promise<WebCipherKey>
  encrypt(cipher: object, key: WebCipherKey, bytes: Uint8Array): Promise<ArrayBuffer>
  decrypt(cipher: object, key: WebCipherKey, bytes: Uint8Array): Promise<ArrayBuffer>
  sign(kind: string, key: WebCipherKey, bytes: Uint8Array): Promise<ArrayBuffer>
}
