// Typed access to the arguments of a JSON-RPC call. Specification: grin-network, 2.
import { badArgument } from '../lib/json-rpc.js'

/** A value of the wrong shape fails as a node's does. */
export function createArguments(values: readonly unknown[], names: readonly string[]) {
  function read<T>(at: number, parse: (value: unknown) => T | undefined): T {
    const parsed = parse(values[at])
    if (parsed === undefined) throw badArgument(names[at] ?? '', at)
    return parsed
  }

  /** `null` where the caller left it out. */
  const optional = <T>(at: number, parse: (value: unknown) => T | undefined): T | null =>
    values[at] === null || values[at] === undefined ? null : read(at, parse)

  return { read, optional }
}

export type Arguments = ReturnType<typeof createArguments>

export const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
export const asFlag = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined)
export const asHeight = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
export const asTexts = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string') ? value : undefined
