// A console on a real console.db, asked without a socket: its areas are the caller's.
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import {
  type ConsoleArea,
  consoleHosts,
  createConsoleApp,
  createPeopleArea,
  newLink,
  type Role,
} from '../../src/console/index.js'
import { openViews, templatesOf } from '../../src/http/index.js'
import { systemRandom } from '../../src/system/index.js'
import { openTemporaryConsole } from './temporary-store.js'
import { NOON } from './till-builders.js'

export interface ConsoleOptions {
  readonly areas?: readonly ConsoleArea[]
  /** PAY_CONSOLE_URL. */
  readonly url?: string
  readonly bind?: Parameters<typeof consoleHosts>[0]
}

type Answer = LightMyRequestResponse

/** Close it with `remove`. Time stands until it is moved. */
export async function openTestConsole({ areas = [], url, bind = { host: '127.0.0.1' } }: ConsoleOptions = {}) {
  const time = { now: NOON }
  const clock = { now: () => time.now, monotonic: () => time.now, sleep: async () => undefined }
  const { store, path, remove } = await openTemporaryConsole()
  const app = await createConsoleApp({
    store,
    areas: [...areas, createPeopleArea({ store, clock })],
    site: { name: 'Test shop', banner: null },
    hosts: consoleHosts(bind, url),
    views: openViews(templatesOf('console')),
    clock,
    random: systemRandom,
  })

  /** The path of a fresh link's page. */
  async function link(role: Role = 'operator', name: string = role): Promise<string> {
    const made = newLink({ name, role }, { clock, random: systemRandom })
    await store.addLink(made.link)
    return `/console/enter/${made.token}`
  }

  const ask = (request: InjectOptions): Promise<Answer> =>
    app.inject({ ...request, headers: { host: 'localhost:3480', accept: 'text/html', ...request.headers } })

  /** A signed-in browser. */
  async function signIn(role: Role = 'operator', name: string = role) {
    const entered = await ask({ method: 'POST', url: await link(role, name) })
    const cookie = cookieIn(entered)
    const get = (address: string) => ask({ method: 'GET', url: address, headers: { cookie } })
    return {
      cookie,
      get,
      post: (address: string, fields: Readonly<Record<string, string>> = {}, headers = {}) =>
        ask({ method: 'POST', url: address, headers: { cookie, ...FORM, ...headers }, payload: formOf(fields) }),
      /** Reads the form for this action from a page and sends it with further fields. */
      async submit(page: string, action: string, fields: Readonly<Record<string, string>> = {}) {
        return this.post(action, { ...formFields((await get(page)).body, action), ...fields })
      },
    }
  }

  return {
    app,
    store,
    path,
    time,
    ask,
    link,
    signIn,
    async remove() {
      await app.close()
      await remove()
    },
  }
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

const formOf = (fields: Readonly<Record<string, string>>): string => new URLSearchParams(fields).toString()

/** `name=value` of the session cookie that an answer sets. */
export function cookieIn({ headers }: Answer): string {
  const set = String(headers['set-cookie'] ?? '')
  return set.split(';')[0] ?? ''
}

/** The hidden fields of the form of this action on a page; fails when there is no such form. */
export function formFields(html: string, action: string): Readonly<Record<string, string>> {
  const start = html.indexOf(`action="${action}"`)
  if (start < 0) throw new Error(`no form for ${action}`)
  const form = html.slice(start, html.indexOf('</form>', start))
  const fields = [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)]
  return Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value]))
}
