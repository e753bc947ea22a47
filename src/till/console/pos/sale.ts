// One sale: the page with the code, "signed", "paid", how it ended; its live events; cancelling it.
import {
  asHtml,
  type ConsoleAction,
  type ConsolePage,
  type ConsoleStream,
  type PageContent,
  type PageRequest,
} from '../../../console/index.js'
import { GrinpayError } from '../../../lib/errors.js'
import { qrSvg } from '../../../lib/qr.js'
import { noSuchSale } from '../errors.js'
import { GRIN } from './currency.js'
import { keypadWith, MANIFEST } from './keypad.js'
import type { Sale, Sales } from './sales.js'
import {
  adviceFor,
  isFinal,
  isPaid,
  isSigned,
  markOf,
  stageOf,
  stepsOf,
  sumOf,
  tagOf,
  timeLeft,
  waitingTexts,
} from './stage.js'

const PATH = '/pos/sales/:id'
/** How long "signed" and "paid" fill the screen: an old sale that is opened again must not look like a new payment. */
const FRESH_MS = 10 * 60_000
/**
 * Without scripts the page loads itself again and says what it has shown (`seen`); the answer waits until that is no longer so. So "paid" is on
 * the screen as soon as with scripts, and the time left is at most some seconds old.
 */
const AGAIN_SECONDS = 1
const LATE_MS = 60 * 60_000
const HOLD_MS = { page: 5000, stream: 20_000 } as const

/** Throws CONSOLE_NO_SALE. */
async function saleOf(sales: Sales, id: string | undefined): Promise<Sale> {
  const sale = id !== undefined && /^[0-9a-f]{32}$/.test(id) ? await sales.find(id) : undefined
  if (!sale) throw noSuchSale()
  return sale
}

/** The sale, or what becomes of it within some seconds where the reader has seen it as it is. */
async function saleToShow(sales: Sales, { params, query, signal }: PageRequest): Promise<Sale> {
  const sale = await saleOf(sales, params.id)
  return query.seen === markOf(sale) && !isFinal(stageOf(sale)) ? sales.changed(sale, HOLD_MS.page, signal) : sale
}

/** A payment that was under way when the time ended arrives soon or never: a page that is left open does not ask for ever. */
const isWatched = (sale: Sale, now: number): boolean =>
  !isFinal(stageOf(sale)) && (sale.status !== 'expired' || now - (sale.expiresAt ?? 0) < LATE_MS)

const againWith = (sale: Sale, more = '') => ({
  refreshSeconds: AGAIN_SECONDS,
  refreshTo: `/pos/sales/${sale.id}?seen=${markOf(sale)}${more}`,
})

export const salePage = (sales: Sales): ConsolePage => ({
  path: PATH,
  title: 'Sale',
  least: 'cashier',
  frame: 'counter',
  scripts: ['sale.js'],
  manifest: MANIFEST,
  async render(request) {
    const sale = await saleToShow(sales, request)
    const stage = stageOf(sale)
    if (stage === 'waiting') return waiting(sales, sale, request)
    const shared = {
      ...baseOf(sale, request.now),
      tag: tagOf(sale),
      advice: adviceFor(stage),
      steps: isSigned(sale) ? stepsOf(sale) : [],
    }
    const { figure, unit } = shared
    const refresh = shared.isLive ? againWith(sale) : {}
    if (isSigned(sale) && request.now - (sale.paidAt ?? 0) < FRESH_MS) {
      if (isPaid(sale)) return { title: `Paid ${figure} ${unit}`, body: request.view('pos/paid', shared), ...refresh }
      const texts = waitingTexts(sale)
      const title = `${texts.headline} ${figure} ${unit}`
      return { title, body: request.view('pos/signed', { ...shared, ...texts }), ...refresh }
    }
    return { title: `Sale over ${figure} ${unit}`, body: request.view('pos/ended', { ...shared, stage }), ...refresh }
  },
})

/** Which code is shown: that for wallets, unless the till has none or the page was asked for. */
async function waiting(sales: Sales, sale: Sale, { view, query, now }: PageRequest): Promise<PageContent> {
  const codes = await sales.codes(sale.id)
  if (!codes) throw noSuchSale()
  const wantsPage = query.code === 'page' || codes.wallet === null
  const base = baseOf(sale, now)
  const ariaLabel = `Pay ${base.figure} ${base.unit}`
  const data = {
    ...base,
    now,
    // On a screen nothing covers a part of the code: less redundancy, larger squares.
    code: asHtml(qrSvg(wantsPage ? codes.page : (codes.wallet ?? ''), { ariaLabel, level: 'L' })),
    isPage: wantsPage,
    hasBoth: codes.wallet !== null,
    left: sale.expiresAt === null ? null : timeLeft(sale.expiresAt, now),
    payCommand: sales.payCommand(sale.id),
  }
  return { title: ariaLabel, body: view('pos/waiting', data), ...againWith(sale, wantsPage ? '&code=page' : '') }
}

/** A style of the figure: a long sum is set smaller, so that it stays on one line. */
const sizeOf = (text: string): string => (text.length > 16 ? ' longest' : text.length > 10 ? ' long' : '')

/** The same price again. */
const againOf = ({ fiat }: Sale, figure: string): string =>
  `/console${keypadWith({ amount: figure, currency: fiat?.currency.toLowerCase() ?? GRIN })}`

function baseOf(sale: Sale, now: number) {
  const sum = sumOf(sale)
  const currency = sale.fiat?.currency.toLowerCase() ?? GRIN
  return {
    sale,
    ...sum,
    size: sizeOf(`${sum.figure} ${sum.unit}`),
    mark: markOf(sale),
    isLive: isWatched(sale, now),
    next: `/console${keypadWith({ currency })}`,
    again: againOf(sale, sum.figure),
  }
}

/** One event per change. What has changed meanwhile comes first, so a connection that was lost misses nothing. */
export const saleStream = (sales: Sales): ConsoleStream => ({
  path: `${PATH}/live`,
  least: 'cashier',
  async *events({ params, signal }) {
    let sale = await saleOf(sales, params.id)
    for (;;) {
      const mark = markOf(sale)
      yield { event: 'sale', data: mark }
      if (isFinal(stageOf(sale))) return yield { event: 'end', data: mark }
      do {
        if (signal.aborted) return
        sale = await sales.changed(sale, HOLD_MS.stream, signal)
      } while (markOf(sale) === mark)
    }
  },
})

export const cancelAction = (sales: Sales): ConsoleAction => ({
  path: `${PATH}/cancel`,
  id: 'pos.cancel',
  least: 'cashier',
  fields: {},
  object: ({ params }) => params.id ?? '',
  async perform({ params }) {
    const sale = await saleOf(sales, params.id)
    try {
      await sales.cancel(sale.id)
    } catch (thrown) {
      if (!(thrown instanceof GrinpayError) || thrown.code !== 'INVOICE_NOT_OPEN') throw thrown
      const text = 'It was too late to cancel: the sale had gone on meanwhile.'
      return { to: `/pos/sales/${sale.id}`, flash: { tone: 'warn', text }, refused: thrown.code }
    }
    const { figure, unit } = sumOf(sale)
    const currency = sale.fiat?.currency.toLowerCase() ?? GRIN
    return {
      to: keypadWith({ currency }),
      flash: { tone: 'good', text: `The sale over ${figure} ${unit} is cancelled. Nothing was charged.` },
    }
  },
})
