import { Flags } from '@oclif/core'
import { ApiCommand, type Column, examplesOf } from '../cli/index.js'
import type { ReportView } from '../client/index.js'

type Sales = ReportView['total']
type Group = ReportView['groups'][number]

/** `12.50 USD + 3 EUR`; a dash for sales without a value in fiat money. */
const fiatOf = ({ prices }: Sales): string =>
  prices.flatMap(({ fiat, currency }) => (fiat === null ? [] : [`${fiat} ${currency}`])).join(' + ') || '-'

/** Tips, in GRIN too. */
const tipsOf = ({ prices }: Sales): string =>
  prices.flatMap(({ tips, currency }) => (tips === null ? [] : [`${tips} ${currency}`])).join(' + ') || '-'

const columnsOf = (by: string): readonly Column<Group>[] => [
  { title: by.toUpperCase(), id: true, value: ({ group }) => group },
  { title: 'SALES', value: ({ count }) => count },
  { title: 'GRIN', value: ({ amount_grin }) => amount_grin },
  { title: 'FIAT', value: fiatOf },
  { title: 'OF WHICH TIPS', value: tipsOf },
]

const payments = (count: number): string => `${count} ${count === 1 ? 'payment' : 'payments'}`

/** For people, after the groups. */
function totalLines({ from, to, zone, total, users, unmatched }: ReportView): readonly string[] {
  const [fiat, tips] = [fiatOf(total), tipsOf(total)]
  const apart = [['users', users] as const, ['unmatched', unmatched] as const].flatMap(
    ([name, { count, amount_grin }]) =>
      count === 0 ? [] : [`${name}: ${payments(count)}, ${amount_grin} GRIN, not in the sums above`],
  )
  return [
    `${from} to ${to} (${zone}): ${total.count} ${total.count === 1 ? 'sale' : 'sales'}, ${total.amount_grin} GRIN${fiat === '-' ? '' : `, ${fiat}`}${tips === '-' ? '' : `, of which tips ${tips}`}, no fees`,
    ...apart,
  ]
}

/** JSON readers change whole numbers from 2^53 up: of a sum only the decimal text is printed. */
const withoutNanogrin = (_: unknown, value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || !('amount' in value)) return value
  const { amount, ...rest } = value
  return rest
}

export default class Report extends ApiCommand {
  static override summary = 'add up sales by day, month, currency or rail'
  static override description =
    'A payment counts on the day on which it was confirmed. Fiat sums add up the prices of the invoices at the rates locked when they were paid, and sales priced in GRIN at the rate stored with them. Over all time, sales, payments of users and unmatched payments are what "wallet balance" calls confirmed.'
  static override examples = examplesOf(
    '--by month --from 2026-01 --to 2026-12 --csv > 2026.csv',
    '--from 2026-07-01 --to 2026-07-31 --zone Europe/Berlin',
    '--by currency --json',
  )
  static override flags = {
    by: Flags.option({
      options: ['day', 'month', 'currency', 'rail'] as const,
      default: 'day',
      description: 'what the sales are grouped by',
    })(),
    from: Flags.string({ description: 'first day or month; default: this month', helpValue: 'DATE' }),
    to: Flags.string({ description: 'last day or month, included; default: today', helpValue: 'DATE' }),
    zone: Flags.string({
      description: 'time zone of the days, such as Europe/Berlin; default: UTC',
      helpValue: 'ZONE',
    }),
    csv: Flags.boolean({ description: 'print CSV', exclusive: ['json', 'quiet'] }),
  }

  async run(): Promise<unknown> {
    const { flags } = await this.parse(Report)
    const api = await this.api(flags)
    const { by, from, to, zone } = flags
    if (flags.csv) {
      process.stdout.write(await api.reportCsv({ by, from, to, zone }))
      return undefined
    }
    const report = await api.report({ by, from, to, zone })
    if (flags.quiet) this.log(report.total.amount_grin)
    else {
      this.logTable(report.groups, columnsOf(by))
      for (const line of totalLines(report)) this.say(line)
    }
    return JSON.parse(JSON.stringify(report, withoutNanogrin))
  }
}
