// Arguments of a JSON-RPC call: positional or by name, every one of them given. Specification: grin-network.md 2.

/** A failure of the call itself, with JSON-RPC's code and the words a node uses. */
export class RpcFailure extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message)
  }
}

const INVALID_PARAMS = -32_602

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Orders the parameters of a request by the names of the method. Throws RpcFailure. */
export function orderedArguments(params: unknown, names: readonly string[]): readonly unknown[] {
  if (isObject(params)) {
    const missing = names.find((name) => !(name in params))
    if (missing !== undefined) throw new RpcFailure(INVALID_PARAMS, `MissingNamedParameter ${missing}`)
    return names.map((name) => params[name])
  }
  const given = Array.isArray(params) ? params : []
  if (given.length !== names.length)
    throw new RpcFailure(INVALID_PARAMS, `WrongNumberOfArgs. Expected ${names.length}. Actual ${given.length}`)
  return given
}

/** Typed access to ordered arguments; a value of the wrong shape fails as a node's does. */
export function createArguments(values: readonly unknown[], names: readonly string[]) {
  const wrong = (at: number) =>
    new RpcFailure(INVALID_PARAMS, `InvalidArgStructure "${names[at] ?? ''}" at position ${at}.`)

  function read<T>(at: number, parse: (value: unknown) => T | undefined): T {
    const parsed = parse(values[at])
    if (parsed === undefined) throw wrong(at)
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
