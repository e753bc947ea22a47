// A report that is being made: asks for the page until it is there, and says how far it is. Without scripts the page loads itself again.
const EVERY_MS = 1000
const waiting = document.querySelector('[data-again]')

async function look() {
  const answer = await fetch(location.href)
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const next = page.querySelector('[data-again]')
  if (!next) return location.reload()
  waiting.replaceChildren(...next.childNodes)
}

const again = () => setTimeout(() => look().catch(() => undefined).finally(again), EVERY_MS)

if (waiting) again()
