// Today: whether the till is ready and why not, alarms with what to do, the figures of the day, the chart, the latest invoices.
import { type ConsolePage, REFRESH_SECONDS } from '../../console/index.js'
import { chartOf } from './chart.js'
import { invoiceListOf } from './invoice-list.js'
import { counted } from './labels.js'
import { remedyForAlarm, remedyForPart } from './remedies.js'
import { CHART_DAYS, type Health, MOST_COUNTED, type TillView } from './view.js'

const LATEST = 8

export const todayPage = (till: TillView): ConsolePage => ({
  path: '/today',
  title: 'Today',
  least: 'viewer',
  navigation: { label: 'Today', order: 10 },
  scripts: ['live.js'],
  async render({ view }) {
    const [health, figures, days, latest] = await Promise.all([
      till.health(),
      till.figures(),
      till.days(CHART_DAYS),
      till.invoices({ text: '', limit: LATEST }),
    ])
    const failed = health.checks.filter(({ ok }) => !ok)
    const body = view('till/today', {
      isReady: failed.every(({ informative }) => informative === true),
      failed: failed.map(withRemedy),
      alarms: health.alarms.map((text) => ({ text, remedy: remedyForAlarm(text) })),
      figures,
      counts: {
        openInvoices: counted(figures.openInvoices, MOST_COUNTED),
        waitingPayments: counted(figures.waitingPayments, MOST_COUNTED),
        abandonedDeliveries: counted(figures.abandonedDeliveries, MOST_COUNTED),
      },
      chart: chartOf(days),
      latest: invoiceListOf(latest.items, till.setup.confirmations),
    })
    return { body, refreshSeconds: REFRESH_SECONDS }
  },
})

/** A fault of the settings names its own remedy. */
const withRemedy = ({ name, detail, since, informative = false, fault }: Health['checks'][number]) => ({
  name,
  detail: fault?.reason ?? detail,
  since,
  informative,
  remedy: fault ? { text: fault.hint } : remedyForPart(name),
})
