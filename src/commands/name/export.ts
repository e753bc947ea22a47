import { Flags } from '@oclif/core'
import type { NameView } from '../../authority/desk/index.js'
import { allItems, csvLine, NameCommand } from '../../cli/index.js'

type Field = readonly [head: string, value: (name: NameView) => string | null]

/** Columns of the CSV; only ever added at the end. */
const FIELDS: readonly Field[] = [
  ['name', ({ name }) => name],
  ['status', ({ status }) => status],
  ['pubkey', ({ pubkey }) => pubkey],
  ['npub', ({ npub }) => npub],
  ['created_at', ({ created_at }) => created_at],
  ['released_at', ({ released_at }) => released_at],
  ['suspended_at', ({ suspended_at }) => suspended_at],
]

const FORMATS = {
  jsonl: { head: '', line: (name: NameView) => `${JSON.stringify(name)}\n` },
  csv: {
    head: csvLine(FIELDS.map(([head]) => head)),
    line: (name: NameView) => csvLine(FIELDS.map(([, value]) => value(name))),
  },
} as const

export default class NameExport extends NameCommand {
  static override summary = 'write all names that are held, one per line'
  static override description =
    'For lists elsewhere, and for scripts. It is no backup: offers, grants and the history are not in it.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> > names.jsonl',
    '<%= config.bin %> <%= command.id %> --format csv --status all > names.csv',
  ]
  static override flags = {
    format: Flags.option({
      options: ['jsonl', 'csv'] as const,
      default: 'jsonl',
      description: 'one JSON document per line, or CSV',
    })(),
    status: Flags.option({
      options: ['active', 'released', 'suspended', 'all'] as const,
      default: 'active',
      description: 'which; active takes in suspended ones',
    })(),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(NameExport)
    const filter = flags.status === 'all' ? {} : { status: flags.status }
    const { head, line } = FORMATS[flags.format]
    const { lookAtNames } = await import('../../daemons/name-desk.js')
    await lookAtNames(await this.nameSettings(flags), async (desk) => {
      process.stdout.write(head)
      for await (const name of allItems((page) => desk.names(filter, page))) process.stdout.write(line(name))
    })
  }
}
