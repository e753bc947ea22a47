// Small helpers over the document.
import { explain } from './words.js'

export const find = (selector, within = document) => within.querySelector(selector)
export const all = (selector, within = document) => [...within.querySelectorAll(selector)]

/** An element with text and attributes. */
export function make(tag, { text = '', ...attributes } = {}, ...children) {
  const element = document.createElement(tag)
  if (text !== '') element.textContent = text
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...children)
  return element
}

/** kind: 'done', 'error' or ''. */
export function say(element, text, kind = '') {
  element.textContent = text
  element.className = `message ${kind}`.trim()
}

/** Runs `work` with the fields' texts when the form is submitted; its result, or its error in words, is shown in the form. */
export function onSubmit(form, work) {
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void run(find('.message', form), find('[type=submit]', form), () => work(Object.fromEntries(new FormData(form))))
  })
}

/** Shows what comes of `work`, with the button disabled meanwhile. */
export async function run(message, button, work) {
  if (button.disabled) return
  button.disabled = true
  say(message, 'One moment …')
  try {
    say(message, (await work()) ?? '', 'done')
  } catch (error) {
    say(message, explain(error), 'error')
  } finally {
    button.disabled = false
  }
}

export async function copy(text, button) {
  const label = button.textContent
  try {
    await navigator.clipboard.writeText(text)
    button.textContent = 'Copied'
  } catch {
    button.textContent = 'Select it and copy'
  }
  setTimeout(() => {
    button.textContent = label
  }, 2000)
}

/** Shows a slatepack to hand over in the box `data-reply=name`. */
export function showReply(name, text, slatepack) {
  const box = find(`[data-reply=${name}]`)
  box.replaceChildren(find('template#reply').content.cloneNode(true))
  find('.reply-text', box).textContent = text
  const field = find('textarea', box)
  field.value = slatepack
  field.addEventListener('focus', () => field.select())
  const button = find('.copy', box)
  button.addEventListener('click', () => void copy(slatepack, button))
  box.hidden = false
  box.scrollIntoView({ block: 'nearest' })
}

export function hideReplies() {
  for (const box of all('[data-reply]')) {
    box.hidden = true
    box.replaceChildren()
  }
}
