// Which part of the page is shown, and what ties the parts together.
import { showBalance, startRefreshing } from './balance.js'
import { CHAINS } from './chains.js'
import { all, copy, find, hideReplies, onSubmit, run, say } from './dom.js'
import { prepareHistory } from './history.js'
import { preparePayments } from './payments.js'
import { prepareScan } from './scan.js'
import { openSession } from './session.js'
import { prepareStart } from './start.js'
import { readVault, removeWallet } from './stored.js'
import { explain } from './words.js'

const WALLET_VIEWS = ['receive', 'send', 'pay', 'history', 'settings']

let session
let refreshing
let unsubscribe
const current = () => session
const changed = async () => {
  if (!session) return
  await showBalance(session)
  await showHistory()
}
const start = prepareStart(enter)
const showHistory = prepareHistory(current, changed)
const scan = prepareScan(current, beginRefreshing)
preparePayments(current, changed)
prepareSettings()

/** An opened vault becomes the session of this page. */
async function enter(opened) {
  session = await openSession(opened)
  // Another window may have changed it.
  unsubscribe = session.wallet.subscribe({ events: ['changed'], listener: changed })
  find('#chain-name').textContent = CHAINS[opened.vault.chainType].name
  find('#address').textContent = await session.wallet.address()
  Object.assign(find('#settings-form').elements.nodeUrl, { value: session.settings().nodeUrl })
  Object.assign(find('#settings-form').elements.nodeSecret, { value: session.settings().nodeSecret })
  await changed()
  if (session.isRestoring()) {
    go('scan')
    scan.begin()
  } else await beginRefreshing()
}

async function beginRefreshing() {
  refreshing = startRefreshing(session, changed)
  await refreshing.refresh()
  if (!WALLET_VIEWS.includes(viewOf()) || viewOf() === 'settings') go('receive')
}

async function leave() {
  const [closing, loop] = [session, refreshing]
  ;[session, refreshing] = [undefined, undefined]
  scan.stop()
  unsubscribe?.()
  await loop?.stop()
  await closing?.close()
}

function prepareSettings() {
  onSubmit(find('#settings-form'), async (fields) => {
    await session.saveNode(fields)
    await refreshing?.refresh()
    return 'Saved. The node answers.'
  })
  find('#lock').addEventListener('click', () => void leave().then(() => location.reload()))
  find('#rescan').addEventListener('click', () => void rescan())
  for (const button of all('[data-remove]')) button.addEventListener('click', () => void remove(button))
  for (const button of all('[data-copy]'))
    button.addEventListener('click', () => void copy(find(button.dataset.copy).textContent, button))
}

async function rescan() {
  await refreshing?.stop()
  refreshing = undefined
  await session.setRestoring(true)
  go('scan')
  scan.begin()
}

async function remove(button) {
  if (!confirm('Remove the wallet from this browser? Without the words its coins are lost.')) return
  const message = find('.message', button.closest('section'))
  await run(message, button, async () => {
    await leave()
    await removeWallet()
    location.hash = ''
    location.reload()
  })
}

const viewOf = () => location.hash.slice(1)
function go(view) {
  if (viewOf() === view) void show()
  else location.hash = view
}

/** The view that may be shown now: the asked one, or the nearest. */
async function allowedView() {
  const asked = viewOf()
  if (session) {
    if (asked === 'settings') return asked
    if (!refreshing) return 'scan'
    return WALLET_VIEWS.includes(asked) ? asked : 'receive'
  }
  if (await readVault()) return 'unlock'
  return ['make', 'restore'].includes(asked) ? asked : 'start'
}

async function show() {
  const view = await allowedView()
  for (const section of all('main section[id]')) section.hidden = section.id !== view
  find('#wallet').hidden = !WALLET_VIEWS.includes(view)
  for (const link of all('nav a')) {
    if (link.hash === `#${view}`) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
  }
  hideReplies()
  if (start.views.includes(view)) start.show(view)
}

addEventListener('hashchange', () => void show())
show().catch((error) => {
  const message = document.createElement('p')
  say(message, explain(error), 'error')
  find('main').prepend(message)
})
