import { Flags } from '@oclif/core'
import type { NameView } from '../../authority/admin/index.js'
import { allItems, examplesOf, NameCommand, usage, wholeList } from '../../cli/index.js'
import { type CsvField, csvLines } from '../../lib/csv.js'

/** Columns of the CSV; only ever added at the end. */
const FIELDS: readonly CsvField<NameView>[] = [
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
  csv: csvLines(FIELDS),
} as const

export default class NameExport extends NameCommand {
  static override summary = 'write all held names, one per line'
  static override description =
    'With --everything writes every row of the database for "name import" elsewhere: names, grants, offers, sales and history.'
  static override examples = examplesOf(
    '> names.jsonl',
    '--format csv --status all > names.csv',
    '--everything > authority.jsonl',
  )
  static override flags = {
    format: Flags.option({
      options: ['jsonl', 'csv'] as const,
      default: 'jsonl',
      description: 'one JSON document per line, or CSV',
    })(),
    status: Flags.option({
      options: ['active', 'released', 'suspended', 'all'] as const,
      default: 'active',
      description: 'which names; active includes suspended ones',
    })(),
    everything: Flags.boolean({
      description: 'write every row of every kind, as "name import" reads them',
      exclusive: ['format', 'status'],
    }),
  }

  async run(): Promise<unknown> {
    const { flags } = await this.parse(NameExport)
    if (flags.everything && this.jsonEnabled())
      throw usage('--everything writes a document per line, for name import: leave --json out')
    const settings = await this.nameSettings(flags)
    if (flags.everything) {
      const { exportLines } = await import('../../daemons/name-transfer.js')
      for await (const line of exportLines(settings)) process.stdout.write(line)
      return undefined
    }
    const filter = flags.status === 'all' ? {} : { status: flags.status }
    const { head, line } = FORMATS[flags.format]
    const { readNames } = await import('../../daemons/name-admin.js')
    return readNames(settings, async (admin) => {
      const names = allItems((page) => admin.names(filter, page))
      if (this.jsonEnabled()) return wholeList(names)
      process.stdout.write(head)
      for await (const name of names) process.stdout.write(line(name))
      return undefined
    })
  }
}
