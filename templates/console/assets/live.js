// Loads the page again when the daemon says that something changed, and puts in place what differs. What is typed, open or in focus stays.
const SOONEST_MS = 2000
const LOST_MS = 3000
const AGAIN_MS = 10_000
let wanted = false
let busy = false

const keyOf = (node) => node && (node.id || node.getAttribute('href'))

function replace(part, fresh) {
  if (part.innerHTML === fresh.innerHTML) return
  const open = [...part.querySelectorAll('details[open]')].map(({ id }) => id)
  const focused = part.contains(document.activeElement) ? keyOf(document.activeElement) : null
  part.replaceChildren(...fresh.childNodes)
  for (const details of part.querySelectorAll('details')) if (open.includes(details.id)) details.open = true
  const again = focused && [...part.querySelectorAll('a, button, summary, [id]')].find((node) => keyOf(node) === focused)
  if (again) again.focus({ preventScroll: true })
}

async function load() {
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } })
  if (answer.status === 401 || answer.status === 403 || answer.status === 404) return location.reload()
  if (!answer.ok) return
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  for (const part of document.querySelectorAll('[data-live]')) {
    const fresh = page.getElementById(part.id)
    if (fresh) replace(part, fresh)
  }
}

async function refresh() {
  wanted = true
  if (busy || document.hidden) return
  busy = true
  while (wanted && !document.hidden) {
    wanted = false
    await load().catch(() => undefined)
    await new Promise((done) => setTimeout(done, SOONEST_MS))
  }
  busy = false
}

let lost = false
let notice

/** A short gap, as on leaving the page, shows nothing. */
function showLoss() {
  if (!lost || notice) return
  notice = document.createElement('p')
  notice.className = 'flash warn'
  notice.setAttribute('role', 'status')
  notice.textContent = 'No connection to the console: this page does not refresh itself now.'
  document.querySelector('main').prepend(notice)
}

const stream = document.querySelector('[data-stream]')?.dataset.stream ?? '/console/live'

function listen() {
  const source = new EventSource(stream)
  source.addEventListener('change', refresh)
  source.addEventListener('open', () => {
    refresh() // what changed before was not announced
    lost = false
    notice?.remove()
    notice = undefined
  })
  source.addEventListener('error', () => {
    lost = true
    setTimeout(showLoss, LOST_MS)
    if (source.readyState !== EventSource.CLOSED) return // the browser connects again by itself
    refresh() // a session that has ended shows so
    setTimeout(listen, AGAIN_MS)
  })
}

listen()
document.addEventListener('visibilitychange', () => {
  if (wanted) refresh()
})
