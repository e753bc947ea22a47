// The tables of bench/scale.md, as Markdown. Pure.
import { FIGURES, type FigureName, figureNames, flagOf, type Values } from './figures.js'
import type { Rounds, Row } from './front-ends.js'
import type { Machine } from './machine.js'
import { planFor, type Target } from './model.js'
import { type TillCosts, tillPlan } from './till-model.js'

export interface Scenario {
  readonly title: string
  readonly target: Target
}

/** Each asks for one thing in large numbers, and of the others for what usually goes with it. */
export const SCENARIOS: readonly Scenario[] = [
  { title: '10^6 connections', target: { connections: 1e6, writes: 1000, events: 1e9 } },
  { title: '10^4 writes/s', target: { connections: 1e5, writes: 1e4, events: 1e9 } },
  { title: '10^5 writes/s', target: { connections: 1e5, writes: 1e5, events: 1e9 } },
  { title: '10^9 events', target: { connections: 1e5, writes: 1000, events: 1e9 } },
  { title: '10^10 events', target: { connections: 1e5, writes: 1000, events: 1e10 } },
]

/** Three digits of small numbers, whole large ones, with separators. */
const rounded = (value: number): string =>
  (value >= 100 ? Math.round(value) : Number(value.toPrecision(3))).toLocaleString('en-US', {
    maximumFractionDigits: 6,
  })

export const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

export function scenarioTable({ title, target }: Scenario, values: Values): string {
  const plan = planFor(target, values)
  const head = ['', 'processes', 'machines', 'memory GB', 'disk TB', 'busiest machine MB/s', '€ a month']
  const rows = plan.groups.map(({ what, processes, machines, memoryGb, diskTb, networkMbps, euros }) => [
    what,
    ...[processes, machines, memoryGb, diskTb, networkMbps, euros].map(rounded),
  ])
  const traffic = [`traffic: ${rounded(plan.trafficTb)} TB`, '', '', '', '', '', rounded(plan.trafficEuros)]
  const sum = ['**in all**', '', ...[plan.machines, plan.memoryGb, plan.diskTb].map(rounded), '', rounded(plan.euros)]
  const { connections, writes, events } = target
  return [
    `### ${title}`,
    '',
    `${rounded(connections)} connections, ${rounded(writes)} writes/s, ${rounded(events)} events stored.`,
    '',
    tableOf(head, [...rows, traffic, sum]),
    '',
    plan.beyond.length === 0
      ? 'Within the design: every front end has everything.'
      : `**Beyond what is built**: ${plan.beyond.join('; ')}.`,
  ].join('\n')
}

export const figureTable = (values: Values): string =>
  tableOf(
    ['Flag', 'Value', 'Origin', ''],
    figureNames.map((name: FigureName) => {
      const { value, unit, origin, about } = FIGURES[name]
      const isSet = origin !== 'measured' && values[name] !== value
      return [`\`--${flagOf(name)}\``, `${rounded(values[name])} ${unit}`.trim(), isSet ? 'flag' : origin, about]
    }),
  )

const TILL_LOADS = {
  invoice: 'POST /invoice',
  payment: 'payments, with webhook',
  webhook: 'webhooks sent again',
} as const

/** Costs at one front end under load; undefined when they were not measured. */
function tillCostsOf(rows: readonly Row[]): TillCosts | undefined {
  const costOf = (name: string) =>
    rows.find(({ load, clients, frontEnds }) => load === name && clients > 1 && frontEnds === 1)
  const [invoice, payment, webhook] = Object.values(TILL_LOADS).map(costOf)
  return invoice && payment && webhook && { invoice, payment, webhook }
}

export function tillTable(rows: readonly Row[], values: Values): string {
  const costs = tillCostsOf(rows)
  if (!costs) return 'Not measured.'
  const each = Object.entries(costs).map(
    ([what, { frontEndMs, databaseMs }]) => `${what} ${rounded(frontEndMs)} and ${rounded(databaseMs)} ms`,
  )
  const head = ['payments a second', 'processors of tills', 'processors of the database', 'machines', '€ a month']
  const plans = [10, 100, 1000].map((payments) => {
    const { frontEndCores, databaseCores, machines, euros } = tillPlan(payments, costs, values)
    return [payments, frontEndCores, databaseCores, machines, euros].map(rounded)
  })
  return `Processor of tills and of the three nodes: ${each.join('; ')}.\n\n${tableOf(head, plans)}`
}

/** Middle, least and most. */
const spread = ({ median, least, most }: Rounds): string => `${rounded(median)} (${rounded(least)} to ${rounded(most)})`

export function frontEndTable(rows: readonly Row[]): string {
  const head = [
    'Load',
    'clients',
    'front ends',
    'a second',
    'times the embedded default',
    'predicted a second',
    'measured / predicted',
    'limit',
    'front end, database, client ms',
    'processors used',
  ]
  return tableOf(
    head,
    rows.map(({ load, clients, frontEnds, perSecond, ratio, predicted, frontEndMs, databaseMs, clientMs, used }) => [
      load,
      String(clients),
      frontEnds === 0 ? 'embedded' : String(frontEnds),
      spread(perSecond),
      frontEnds === 0 ? '' : spread(ratio),
      predicted ? rounded(predicted.perSecond) : '',
      predicted ? (perSecond.median / predicted.perSecond).toFixed(2) : '',
      predicted?.limit ?? '',
      [frontEndMs, databaseMs, clientMs].map((ms) => ms.toFixed(3)).join(', '),
      `${Math.round(used * 100)} %`,
    ]),
  )
}

export const machineLine = ({ date, cores, processor, node, loadBefore, loadAfter }: Machine): string =>
  `Measured ${date} UTC on ${cores} cores (${processor}), Node ${node}; load average ${loadBefore.toFixed(2)} before, ${loadAfter.toFixed(2)} after.`
