// What commands print with --json, as src/commands/json-shapes.json describes it (docs/json.md is made from it).
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../support/till-process.js'

export interface Member {
  /** The title of the shape that documents it. */
  readonly owner: string
  readonly path: string
  /** `string or null`, `list of #name`. */
  readonly type: string
}

export interface Shape {
  /** What the document is called in a complaint. */
  readonly title: string
  readonly isList: boolean
  /** The title of the shape that it takes over. */
  readonly like: string | undefined
  readonly members: readonly Member[]
}

export interface JsonPage {
  /** By anchor. */
  readonly shared: ReadonlyMap<string, Shape>
  /** By command, with the flag that makes it another document: `relay ban --list`. */
  readonly commands: ReadonlyMap<string, Shape>
  /** Commands whose document is described in words alone. */
  readonly proseOnly: readonly string[]
}

/** As the file has it; the meaning of a member stands behind its type. */
interface Written {
  readonly isList?: boolean
  readonly like?: string
  readonly members?: Readonly<Record<string, string | readonly string[]>>
}

export interface WrittenShapes {
  readonly shared: Readonly<Record<string, Written>>
  readonly commands: Readonly<Record<string, Written>>
}

export const JSON_SHAPES: WrittenShapes = JSON.parse(readFileSync(join(ROOT, 'src/commands/json-shapes.json'), 'utf8'))

export function jsonPageOf({ shared, commands }: WrittenShapes): JsonPage {
  const known = Object.entries(commands).map(([title, written]) => [title, shapeOf(title, written)] as const)
  return {
    shared: new Map(Object.entries(shared).map(([title, written]) => [anchorOf(title), shapeOf(title, written)])),
    commands: new Map(known.filter(([, shape]) => !isEmpty(shape))),
    proseOnly: known.filter(([, shape]) => isEmpty(shape)).map(([title]) => title),
  }
}

const isEmpty = ({ like, members, isList }: Shape): boolean => like === undefined && members.length === 0 && !isList

export const anchorOf = (title: string): string => title.replaceAll(' ', '-')

const shapeOf = (title: string, { isList = false, like, members = {} }: Written): Shape => ({
  ...{ title, isList, like },
  members: Object.entries(members).map(([path, value]) => ({ owner: title, path, type: [value].flat()[0] ?? '' })),
})
