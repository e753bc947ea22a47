// The console of a relay that runs in a process of its own, asked over HTTP by a signed-in operator.
import { newLink } from '../../src/console/index.js'
import { openConsoleStore } from '../../src/storage/index.js'
import { consoleFile, systemClock, systemRandom } from '../../src/system/index.js'
import { formFields } from './console-app.js'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

export interface RelayConsole {
  /** The page, as HTML. Throws for another status than 200. */
  page(path: string): Promise<string>
  /** Sends the form for this action of a page, and its second step; answers the page that follows. */
  submit(page: string, action: string, fields?: Readonly<Record<string, string>>): Promise<string>
}

/** `dbPath`: of the relay. */
export async function signInto(dbPath: string, port: number): Promise<RelayConsole> {
  const base = `http://localhost:${port}`
  const store = await openConsoleStore({ path: consoleFile(dbPath) })
  const made = newLink({ name: 'operator', role: 'operator' }, { clock: systemClock, random: systemRandom })
  await store.addLink(made.link)
  await store.close()
  const entered = await fetch(`${base}/console/enter/${made.token}`, { method: 'POST', redirect: 'manual' })
  const cookie = String(entered.headers.get('set-cookie')).split(';')[0] ?? ''

  async function page(path: string): Promise<string> {
    const answer = await fetch(`${base}${path}`, { headers: { cookie, accept: 'text/html' } })
    const body = await answer.text()
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${body}`)
    return body
  }

  async function post(action: string, fields: Readonly<Record<string, string>>): Promise<string> {
    const body = new URLSearchParams(fields).toString()
    const answer = await fetch(`${base}${action}`, {
      ...{ method: 'POST', body, redirect: 'manual' },
      headers: { cookie, accept: 'text/html', ...FORM },
    })
    const to = answer.headers.get('location')
    if (to !== null) return page(to)
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${action}: ${answer.status} ${text}`)
    return text.includes('name="facts"') ? post(action, formFields(text, action)) : text
  }

  return {
    page,
    submit: async (from, action, fields = {}) => post(action, { ...formFields(await page(from), action), ...fields }),
  }
}
