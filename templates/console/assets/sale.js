// A sale shows its payment at once: each event of the stream names what there is to see, and the page fetches itself.

const sale = () => document.getElementById('sale')
const { live } = sale().dataset
const again = () => setTimeout(() => location.reload(), 3000)

function put(html) {
  const page = new DOMParser().parseFromString(html, 'text/html')
  const next = page.getElementById('sale')
  if (!next) return location.reload() // signed out: the page says so
  if (next.matches('.paid') && !sale().matches('.paid')) navigator.vibrate?.(200)
  document.title = page.title
  sale().replaceWith(document.adoptNode(next))
  document.querySelector('#sale [autofocus]')?.focus()
}

async function follow(mark) {
  if (sale().dataset.mark === mark) return
  const answer = await fetch(location.href)
  put(await answer.text())
}

if (live) {
  const events = new EventSource(live)
  events.addEventListener('sale', ({ data }) => follow(data).catch(again))
  events.addEventListener('end', () => events.close())
  events.addEventListener('open', () => document.body.classList.remove('offline'))
  events.addEventListener('error', () => {
    document.body.classList.add('offline')
    if (events.readyState === EventSource.CLOSED) again() // refused for good, as after the end of the session
  })
  navigator.wakeLock?.request('screen').catch(() => {})
}

const now = sale().querySelector('[data-now]')?.dataset.now
const ahead = now ? Number(now) - Date.now() : 0
setInterval(() => {
  const left = document.querySelector('[data-ends]')
  if (!left) return
  const seconds = Math.max(0, Math.ceil((Number(left.dataset.ends) - Date.now() - ahead) / 1000))
  left.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}, 1000)
