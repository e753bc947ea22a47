// Secrets that cannot be printed by accident: in logs, errors and JSON they read "[secret]".
import { timingSafeEqual } from 'node:crypto'

export class Secret<T extends string | Uint8Array = string> {
  readonly #value: T
  constructor(value: T) {
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

/** Compares a presented text with a secret in time that depends on neither's content. */
export function matchesSecret(presented: string, secret: Secret): boolean {
  const a = Buffer.from(presented)
  const b = Buffer.from(secret.reveal())
  const padded = Buffer.alloc(b.length)
  a.copy(padded)
  return timingSafeEqual(padded, b) && a.length === b.length
}
