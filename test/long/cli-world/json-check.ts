// A document against a shape of src/commands/json-shapes.json, both ways: what is missing, what is not documented, what is of another type.
import { anchorOf, type JsonPage, type Member, type Shape } from './json-page.js'

export interface Checker {
  /** Complaints; none when the document is as documented. */
  check(shape: Shape, document: unknown): readonly string[]
  /** Documented members that had no value, or only `null`, in every document so far. */
  unseen(): readonly string[]
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/

const PLAIN: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  time: (value) => typeof value === 'string' && TIME.test(value),
  null: (value) => value === null,
  list: Array.isArray,
  object: (value) => isObject(value),
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function createChecker(page: JsonPage): Checker {
  const seen = new Set<string>()

  const membersOf = ({ like, members }: Shape): readonly Member[] => [
    ...(like === undefined ? [] : membersOf(sharedShape(anchorOf(like)))),
    ...members,
  ]

  function sharedShape(anchor: string): Shape {
    const shape = page.shared.get(anchor)
    if (!shape) throw new Error(`src/commands/json-shapes.json has no "${anchor}"`)
    return shape
  }

  /** The members of an object, of which `prefix` is the path. */
  function objectAs(shape: Shape, prefix: string, value: unknown, where: string): readonly string[] {
    if (!isObject(value)) return [`${where}: not an object`]
    const members = new Map(
      membersOf(shape)
        .filter(({ path }) => path.startsWith(prefix) && !/[.[]/.test(path.slice(prefix.length)))
        .map((member) => [member.path.slice(prefix.length), member]),
    )
    const undocumented = Object.keys(value).filter((name) => !members.has(name))
    return [
      ...undocumented.map((name) => `${where}.${name}: not documented`),
      ...[...members].flatMap(([name, member]) =>
        name in value ? valueAs(shape, member, value[name], `${where}.${name}`) : [`${where}.${name}: missing`],
      ),
    ]
  }

  function valueAs(shape: Shape, member: Member, value: unknown, where: string): readonly string[] {
    const { owner, path, type } = member
    if (value !== null) seen.add(`${owner}: ${path}`)
    const wrong = [`${where}: ${JSON.stringify(value)?.slice(0, 60)} is not ${type}`]
    const kinds = type.split(' or ')
    if (value === null || value === undefined) return value === null && kinds.includes('null') ? [] : wrong
    const kind = kinds.find((one) => one !== 'null') ?? type
    const [, each] = /^list of (.+)$/.exec(kind) ?? []
    if (each !== undefined) {
      if (!Array.isArray(value)) return wrong
      return value.flatMap((item, at) =>
        oneAs(shape, { ...member, path: `${path}[]`, type: each }, item, `${where}[${at}]`),
      )
    }
    const [, named] = /^map of (.+)$/.exec(kind) ?? []
    if (named !== undefined) return isObject(value) && Object.values(value).every((v) => PLAIN[named]?.(v)) ? [] : wrong
    return oneAs(shape, { ...member, type: kind }, value, where)
  }

  function oneAs(shape: Shape, { path, type }: Member, value: unknown, where: string): readonly string[] {
    if (type.startsWith('#')) return objectAs(sharedShape(type.slice(1)), '', value, where)
    if (type === 'object' && hasMembers(shape, `${path}.`)) return objectAs(shape, `${path}.`, value, where)
    return PLAIN[type]?.(value) ? [] : [`${where}: ${JSON.stringify(value)?.slice(0, 60)} is not ${type}`]
  }

  const hasMembers = (shape: Shape, prefix: string): boolean =>
    membersOf(shape).some(({ path }) => path.startsWith(prefix))

  return {
    check(shape, document) {
      if (!shape.isList) return objectAs(shape, '', document, shape.title)
      const outer = objectAs(sharedShape('list'), '', document, shape.title)
      const items = isObject(document) && Array.isArray(document.items) ? document.items : []
      return [...outer, ...items.flatMap((item, at) => objectAs(shape, '', item, `${shape.title}.items[${at}]`))]
    },
    unseen: () =>
      [...page.shared.values(), ...page.commands.values()]
        .flatMap(({ members }) => members.map(({ owner, path }) => `${owner}: ${path}`))
        .filter((member) => !seen.has(member)),
  }
}
