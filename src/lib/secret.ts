// Secrets that cannot be printed by accident: in logs, errors and JSON they read "[secret]".

export class Secret<T extends string | Uint8Array = string> {
  readonly #value: T
  constructor(
    value: T,
    /** The file that it was read from, when that holds nothing else. */
    readonly file?: string | undefined,
  ) {
    this.#value = value
  }
  /** The only access to the value; search for calls to see which code reads secrets. */
  reveal(): T {
    return this.#value
  }
  /** Overwrites bytes that are no longer needed. Does nothing to a text: the engine cannot overwrite one. */
  wipe(): void {
    if (typeof this.#value !== 'string') this.#value.fill(0)
  }
  toString(): string {
    return '[secret]'
  }
  toJSON(): string {
    return '[secret]'
  }
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return '[secret]'
  }
}
