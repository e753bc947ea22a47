// docs/json.md as data: the page is written for people, and strict enough to be compared with what commands print.

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
  /** The shapes it takes over, by their anchors. */
  readonly like: readonly string[]
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

export function readJsonPage(text: string): JsonPage {
  const [, shared = '', commands = ''] = text.split(/^## .*$/m)
  const sections = sectionsOf(commands).map(([title, body]) => [title.replace('grinpay ', ''), body] as const)
  const shapes = sections.flatMap(([command, body]) =>
    variantsOf(body).map(([flag, part]) => [flag === '' ? command : `${command} ${flag}`, part] as const),
  )
  const known = shapes.map(([title, body]) => [title, shapeOf(title, body)] as const)
  return {
    shared: new Map(sectionsOf(shared).map(([title, body]) => [anchorOf(title), shapeOf(title, body)])),
    commands: new Map(known.filter(([, shape]) => !isEmpty(shape))),
    proseOnly: known.filter(([, shape]) => isEmpty(shape)).map(([title]) => title),
  }
}

const isEmpty = ({ like, members, isList }: Shape): boolean => like.length + members.length === 0 && !isList

const sectionsOf = (text: string): readonly (readonly [title: string, body: string])[] =>
  text
    .split(/^### /m)
    .slice(1)
    .map((section) => [section.split('\n', 1)[0] ?? '', section.slice(section.indexOf('\n'))])

const anchorOf = (title: string): string => title.replaceAll(' ', '-')

/** A section, and what it says `With --flag`. */
function variantsOf(body: string): readonly (readonly [flag: string, body: string])[] {
  const [first = '', ...others] = body.split(/^With `(?=--)/m)
  return [['', first], ...others.map((part) => [part.slice(0, part.indexOf('`')), part] as const)]
}

function shapeOf(title: string, body: string): Shape {
  const like = /(?:^|: )(?:an?) (?:list of )?\[[\w -]+\]\(#([\w-]+)\)(?! without)/im.exec(body)?.[1]
  const rows = [...body.matchAll(/^\| `([^`]+)` \| ([^|]+?) \|/gm)]
  return {
    title,
    isList: /(?:^|: )a list of/im.test(body),
    like: like === undefined ? [] : [like],
    members: rows.map(([, path = '', type = '']) => ({
      ...{ owner: title, path },
      type: type.replace(/\[[^\]]+\]\(#([\w-]+)\)/g, '#$1'),
    })),
  }
}
