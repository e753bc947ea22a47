// What commands are tried on: invoices, payments, names, offers, files. Made when they are asked for, by the names that cases use.
import { BOB_NPUB } from '../../support/name-commands.js'
import { fileProps } from './file-props.js'
import { nameProps } from './name-props.js'
import { newNames, type Props } from './prop.js'
import { tillProps } from './till-props.js'
import { type CliWorld, openCliWorld } from './world.js'

export type { Props } from './prop.js'

export type WorldWithProps = CliWorld & { readonly props: Props }

export async function openWorldWithProps(): Promise<WorldWithProps> {
  const world = await openCliWorld()
  return { ...world, props: createProps(world) }
}

function createProps(world: CliWorld): Props {
  const { relay = '' } = world.sandbox
  const names = newNames(world.home)
  return {
    relay: async () => relay,
    nodePort: async () => world.nodePort,
    npub: async () => BOB_NPUB,
    newFile: async () => names.file(),
    ...tillProps(world),
    ...nameProps(world, names),
    ...fileProps(world, names),
  }
}

/** A line with its `{props}` filled in, as words. A text in single quotes is one word. */
export async function wordsOf(line: string, props: Props): Promise<string[]> {
  let text = line
  for (const [mark, name = ''] of line.matchAll(/\{([a-zA-Z]+)\}/g)) {
    const prop = props[name]
    if (!prop) throw new Error(`no ${mark} in ${line}`)
    text = text.replace(mark, await prop())
  }
  return [...text.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
}
