// The balance, and the loop that asks the node.
import { find, make } from './dom.js'
import { explain, grin } from './words.js'

const PARTS = [
  ['spendable', 'can be spent'],
  ['awaitingConfirmation', 'waiting for more blocks'],
  ['immature', 'mined, not ripe'],
  ['awaitingFinalization', 'expected, not in a block'],
  ['locked', 'bound in payments that wait'],
  ['reverted', 'taken back by a reorganisation'],
]

export async function showBalance({ wallet, chain }) {
  const balance = await wallet.balance({ minConfirmations: chain.confirmations })
  find('#balance-total').textContent = grin(balance.total)
  const shown = PARTS.filter(([name]) => balance[name] > 0n && balance[name] !== balance.total)
  const rows = shown.flatMap(([name, text]) => [
    make('dt', { text }),
    make('dd', { text: `${grin(balance[name])} GRIN` }),
  ])
  find('#balance-parts').replaceChildren(...rows)
}

/** Asks the node now and then; `changed` is called after every answer. Answers how to ask at once, and how to stop. */
export function startRefreshing(session, changed) {
  const status = find('#node-status')
  let timer
  let running
  let isStopped = false

  async function once() {
    try {
      const { height } = await session.refresh()
      status.textContent = `Block ${height} of ${session.settings().nodeUrl}`
    } catch (error) {
      status.textContent = explain(error)
    }
    if (!isStopped) await changed()
  }
  /** One round at a time. */
  function refresh() {
    clearTimeout(timer)
    running ??= once().finally(() => {
      running = undefined
      if (!isStopped) timer = setTimeout(tick, session.chain.everySeconds * 1000)
    })
    return running
  }
  const tick = () => (document.hidden ? undefined : void refresh())
  document.addEventListener('visibilitychange', tick)
  void refresh()

  return {
    refresh,
    async stop() {
      isStopped = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', tick)
      await running
    },
  }
}
