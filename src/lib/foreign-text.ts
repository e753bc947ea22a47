// The text of a value that comes from elsewhere. `String()` runs its `toString`, and throws if foreign JSON has put something else there.

/** Never throws. Texts as they are, numbers and the like as they are written; of everything else only what it is. */
export function foreignText(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
    case 'bigint':
    case 'boolean':
    case 'undefined':
      return `${value}`
    case 'object':
      return value === null ? 'null' : Array.isArray(value) ? 'a list' : 'an object'
    case 'symbol':
    case 'function':
      return `a ${typeof value}`
  }
}
