// The keypad with a script: keys beside the field, and the total on the button. Without it the field is typed into.

/** Typed text in units of 10^-decimals; null: no amount. Exact, as on the server. */
const unitsOf = (text, decimals) => {
  const match = /^(\d{0,12})[.,]?(\d*)$/.exec(text.replace(/\s/g, ''))
  if (!match || match[1] + match[2] === '' || match[2].length > decimals) return null
  return BigInt(match[1] + match[2].padEnd(decimals, '0'))
}

const textOf = (units, decimals) => {
  const digits = units.toString().padStart(decimals + 1, '0')
  const at = digits.length - decimals
  const fraction = decimals > 3 ? digits.slice(at).replace(/0+$/, '') : digits.slice(at)
  return fraction === '' ? digits.slice(0, at) : `${digits.slice(0, at)}.${fraction}`
}

const form = document.querySelector('.keypad')
const { amount, tip, tip_amount: tipAmount } = form.elements
const charge = form.querySelector('.charge')
const total = form.querySelector('#total')
const about = form.querySelector('#about')
const currency = () => form.querySelector('[name=currency]:checked')

const tipOf = (sum, decimals) =>
  tip.value === 'other' ? unitsOf(tipAmount.value || '0', decimals) : (2n * sum * BigInt(tip.value) + 100n) / 200n

function show() {
  const { value, dataset } = currency()
  const decimals = Number(dataset.decimals)
  const sum = unitsOf(amount.value, decimals)
  const more = sum ? tipOf(sum, decimals) : null
  const text = more === null ? '' : textOf(sum + more, decimals)
  const grin = Number(text) / Number(dataset.rate || 0)
  total.textContent = text && ` ${text} ${value.toUpperCase()}`
  about.textContent = grin > 0 && Number.isFinite(grin) ? `about ${Number(grin.toPrecision(4))} GRIN` : ''
}

/** A key that would make it no amount does nothing. */
function press(key) {
  const { value } = amount
  const longer = key === '.' ? `${value || '0'},` : value + key
  if (key === 'back') amount.value = value.slice(0, -1)
  else if (unitsOf(longer, Number(currency().dataset.decimals)) !== null) amount.value = longer.replace(/^0+(?=\d)/, '')
  show()
}

form.classList.add('scripted')
// A phone's own keyboard would cover the keys of the page.
if (matchMedia('(pointer: coarse)').matches) amount.inputMode = 'none'
form.addEventListener('click', ({ target }) => target.dataset.key && press(target.dataset.key))
form.addEventListener('input', show)
form.addEventListener('submit', () => setTimeout(() => (charge.disabled = true)))
// A form out of the browser's memory has made its sale already.
addEventListener('pageshow', ({ persisted }) => persisted && location.reload())
show()
