import { type Column, examplesOf, type Fact, facts, RelayCommand } from '../../cli/index.js'
import type { StatsView } from '../../daemons/relay-admin.js'

type Kind = StatsView['kinds'][number]

const KINDS: readonly Column<Kind>[] = [
  { title: 'KIND', value: ({ kind }) => kind },
  { title: 'EVENTS', value: ({ events }) => events },
]

export default class RelayStats extends RelayCommand {
  static override summary = 'show what the relay stores: events by kind, times, sizes, retention'
  static override description =
    'Counts in the database, while the relay runs or not. --quiet prints the number of events.'
  static override examples = examplesOf('', '--db /var/lib/grinpay --json')

  async run(): Promise<StatsView> {
    const { flags } = await this.parse(RelayStats)
    const config = await this.relayConfig(flags)
    const { relayStats } = await import('../../daemons/relay-admin.js')
    const stats = await this.waiting('counting', () => relayStats(config))
    if (flags.quiet) {
      this.log(String(stats.events))
      return stats
    }
    this.log(facts(factsOf(stats)))
    if (stats.kinds.length > 0) this.log()
    if (stats.kinds.length > 0) this.logTable(stats.kinds, KINDS)
    return stats
  }
}

const factsOf = (stats: StatsView): readonly Fact[] => [
  ['database', stats.database],
  ['relay', stats.running ? 'running' : 'not running'],
  ['events', stats.events],
  ['gift wraps', stats.wraps],
  ['expiring', stats.expiring],
  ['oldest', stats.oldest],
  ['newest', stats.newest],
  ['in use', sizeText(stats.bytes)],
  ['file', sizeText(stats.file_bytes)],
  ['log', sizeText(stats.log_bytes)],
  ['retention', retentionText(stats.retention)],
]

function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const power = Math.min(4, Math.floor(Math.log2(bytes) / 10))
  return `${(bytes / 1024 ** power).toFixed(1)} ${['B', 'KiB', 'MiB', 'GiB', 'TiB'][power]}`
}

function retentionText(rules: StatsView['retention']): string {
  if (!rules) return 'everything stays'
  const parts = [
    rules.days === null ? null : `${rules.days} days`,
    rules.max_events === null ? null : `${rules.max_events} events`,
    rules.max_bytes === null ? null : sizeText(rules.max_bytes),
  ].filter((part) => part !== null)
  const kinds = rules.kinds.length > 0 ? `, only kinds ${rules.kinds.join(' ')}` : ''
  return `at most ${parts.join(', ')}${kinds}; gift wraps stay`
}
