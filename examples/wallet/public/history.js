// The log of transactions, and what can be done with each.
import { find, hideReplies, make, run, showReply } from './dom.js'
import { slate, slatepack } from './library.js'
import { grin, statusOf } from './words.js'

const isOpen = ({ status }) => status === 'pending' || status === 'reverted'

/** What this wallet wrote last and the other side may need again. */
const HANDED_OVER = ['S1', 'S2', 'I2']

/** In this order. `work` answers what to say. */
const ACTIONS = [
  {
    text: 'Post again',
    fits: (row) => isOpen(row) && row.written === 'S3',
    work: async (row, { post }) => {
      await post(row.slateId)
      return 'Posted.'
    },
  },
  {
    text: 'Show slatepack',
    fits: (row) => row.status === 'pending' && row.slate && HANDED_OVER.includes(row.written),
    work: async (row) => {
      const armored = slatepack.armorSlate(slate.decodeSlate(row.slate), { prefix: 'tgrin' })
      showReply('history', `The slatepack (${row.written}) that you handed over, not encrypted:`, armored)
    },
  },
  {
    text: 'Payment proof',
    fits: (row) => row.kind === 'sent' && row.proof?.sender_sig !== undefined,
    work: async (row, { wallet }) => {
      const proof = await wallet.paymentProof(row.slateId)
      showReply(
        'history',
        'Shows to anybody that you paid this amount to this address:',
        JSON.stringify(proof, null, 2),
      )
    },
  },
  {
    text: 'Cancel',
    fits: isOpen,
    work: async (row, { wallet }) => {
      await wallet.cancel(row.id)
      const left = row.written === 'S1' ? '' : ' The other side may still post what it has; then it counts after all.'
      return `Cancelled, its coins are free again.${left}`
    },
  },
]

const changeOf = ({ kind, amount, fee = 0n, credited, debited }) =>
  kind === 'sent' ? `−${grin(debited > 0n ? debited - credited : amount + fee)}` : `+${grin(credited)}`

const TITLES = { sent: 'Sent', received: 'Received', coinbase: 'Mined' }

/** Answers how to show the newest log. */
export function prepareHistory(session, changed) {
  const [list, message] = [find('#history-list'), find('#history-message')]
  let shown = ''

  function button(action, row) {
    const element = make('button', { type: 'button', text: action.text })
    element.addEventListener('click', () => {
      hideReplies()
      void run(message, element, async () => {
        const text = await action.work(row, session())
        await changed()
        return text
      })
    })
    return element
  }

  function item(row) {
    const { createdAt, fee, kind } = row
    const when = new Date(createdAt).toLocaleString()
    const paid = kind === 'sent' && fee !== undefined ? `, fee ${grin(fee)}` : ''
    return make(
      'li',
      {},
      make('span', { text: TITLES[kind] }),
      make('span', { text: `${changeOf(row)} GRIN`, class: 'value' }),
      make('span', { text: `${statusOf(row)} · ${when}${paid}`, class: 'small' }),
      make('span', { class: 'buttons' }, ...ACTIONS.filter(({ fits }) => fits(row)).map((one) => button(one, row))),
    )
  }

  return async function showHistory() {
    const rows = await session().wallet.transactions()
    const now = rows.map((row) => [row.id, row.status, row.written, row.height]).join()
    if (now === shown && list.childElementCount > 0) return // keeps the focus where it is
    shown = now
    const items = [...rows].reverse().map(item)
    list.replaceChildren(...(items.length > 0 ? items : [make('li', { text: 'Nothing yet.' })]))
  }
}
