// Work of the machine that ends in no simulated time: files and key derivation. A world counts what it has begun, so that it need not ask
// the runtime after each event whether something is still under way.
import crypto from 'node:crypto'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

interface MachineWork {
  /** What is under way now. */
  pending(): number
  /** Puts the plain functions back. */
  end(): void
}

/** Keys that scrypt has derived, by everything that they come from: a world starts its daemon often, with one password. */
const derived = new Map<string, Buffer>()

function deriveOnce(plain: AnyFunction): AnyFunction {
  return (...args) => {
    const [password, salt, length, cost] = args
    const back = args.at(-1) as (error: Error | null, key?: Buffer) => void
    const name = JSON.stringify([password, Buffer.from(salt as Uint8Array).toString('hex'), length, cost])
    const known = derived.get(name)
    if (known) return queueMicrotask(() => back(null, Buffer.from(known)))
    return plain(...args.slice(0, -1), (error: Error | null, key?: Buffer) => {
      if (key) derived.set(name, Buffer.from(key))
      back(error, key)
    })
  }
}

const FILE_METHODS = [
  ...['appendFile', 'chmod', 'chown', 'close', 'datasync', 'read', 'readFile', 'readv', 'stat', 'sync'],
  ...['truncate', 'utimes', 'write', 'writeFile', 'writev'],
]

type AnyFunction = (...args: unknown[]) => unknown

/** Replaces the functions of `node:fs/promises` and the key derivations of `node:crypto` for as long as a world lasts. */
export function countMachineWork(): MachineWork {
  let pending = 0
  const undo: (() => void)[] = []

  function replace(owner: object, name: string, made: (plain: AnyFunction) => AnyFunction): void {
    const plain = Reflect.get(owner, name) as AnyFunction
    Reflect.set(owner, name, made(plain))
    undo.push(() => void Reflect.set(owner, name, plain))
  }

  /** A function that answers a promise. */
  const promising = (plain: AnyFunction): AnyFunction =>
    function (this: unknown, ...args) {
      const answer = plain.apply(this, args)
      if (!(answer instanceof Promise)) return answer
      pending += 1
      const done = (): void => {
        pending -= 1
      }
      answer.then(done, done)
      return answer
    }

  /** A function whose last argument is called back once. */
  const calling = (plain: AnyFunction): AnyFunction =>
    function (this: unknown, ...args) {
      const back = args.at(-1)
      if (typeof back !== 'function') return plain.apply(this, args)
      pending += 1
      return plain.call(this, ...args.slice(0, -1), (...answer: unknown[]) => {
        pending -= 1
        back(...answer)
      })
    }

  /** Open files have promises of their own; their class can only be had from one of them. */
  const opening = (plain: AnyFunction): AnyFunction =>
    async function (this: unknown, ...args) {
      const file = (await plain.apply(this, args)) as object
      const methods = Object.getPrototypeOf(file) as object
      if (!counted.has(methods)) {
        counted.add(methods)
        for (const name of FILE_METHODS) replace(methods, name, promising)
      }
      return file
    }

  const counted = new Set<object>()
  replace(fs.promises, 'open', opening)
  for (const [name, value] of Object.entries(fs.promises))
    if (typeof value === 'function' && name !== 'watch') replace(fs.promises, name, promising)
  replace(crypto, 'scrypt', deriveOnce)
  for (const name of ['scrypt', 'pbkdf2', 'hkdf', 'randomFill']) replace(crypto, name, calling)
  for (const name of ['digest', 'deriveBits', 'importKey', 'encrypt', 'decrypt', 'sign', 'verify'])
    replace(crypto.webcrypto.subtle, name, promising)
  syncBuiltinESMExports()
  return {
    pending: () => pending,
    end() {
      for (const put of undo.reverse()) put()
      syncBuiltinESMExports()
    },
  }
}
