// The restore: a scan that shows how far it is, can be stopped, and goes on where it was.
import { find, onSubmit } from './dom.js'

export function prepareScan(session, done) {
  const [form, bar, text, stop] = [find('#scan-form'), find('#scan-bar'), find('#scan-text'), find('#scan-stop')]
  let stopping

  function showProgress({ seen, found, next, highest }) {
    bar.max = Math.max(1, highest)
    bar.value = Math.min(next, bar.max)
    const part = Math.min(100, Math.round((100 * next) / bar.max))
    text.textContent = `${part} %: ${seen} outputs looked at, ${found} of them yours`
  }

  onSubmit(form, async () => {
    stopping = new AbortController()
    stop.disabled = false
    try {
      await session().restore({ signal: stopping.signal, pageSize: 500, onProgress: showProgress })
    } catch (error) {
      if (stopping.signal.aborted) return 'Stopped. It goes on where it was.'
      throw error
    } finally {
      stop.disabled = true
    }
    await session().setRestoring(false)
    await done()
  })
  stop.addEventListener('click', () => stopping?.abort())

  return {
    begin() {
      bar.removeAttribute('value')
      text.textContent = ''
      form.requestSubmit()
    },
    stop: () => stopping?.abort(),
  }
}
