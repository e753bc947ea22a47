// A till whose settings name an authority and a relay beside it: their pages are in its console.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeSignInLink } from '../../src/daemons/console-admin.js'
import { openSandboxTill, sandboxTill } from '../support/sandbox-till.js'
import { temporaryFolder } from '../support/temporary-store.js'
import { freePort } from '../support/till-process.js'

/** What the navigation of an operator leads to. */
async function navigationOf(beside: Readonly<Record<string, string>>): Promise<string> {
  const { folder, remove } = temporaryFolder()
  const port = await freePort()
  const console = { PAY_CONSOLE: 'on', PAY_CONSOLE_BIND: `127.0.0.1:${port}` }
  const { config } = await sandboxTill(join(folder, 'till'), { port: await freePort() }, { ...console, ...beside })
  const daemon = await openSandboxTill(config)
  onTestFinished(async () => {
    await daemon.stop()
    remove()
  })
  await daemon.start()
  const base = `http://localhost:${port}`
  const path = join(config.dbPath, '..', 'console.db')
  const { url } = await makeSignInLink({ path, url: base }, { name: 'anna', role: 'operator' })
  const entered = await fetch(url, { method: 'POST' })
  const cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  return (await fetch(`${base}/console/`, { headers: { cookie } })).text()
}

test('the pages of names and relay are there when their settings are named', async () => {
  const { folder, remove } = temporaryFolder()
  onTestFinished(remove)
  const [names, relay] = [join(folder, 'nameauth.env'), join(folder, 'relay.toml')]
  writeFileSync(names, `NAMEAUTH_DOMAIN=names.example\nNAMEAUTH_DATA_DIR=${folder}\n`)
  writeFileSync(relay, `[database]\ndata_directory = ${JSON.stringify(folder)}\n`)
  const page = await navigationOf({ PAY_CONSOLE_NAMEAUTH: names, PAY_CONSOLE_RELAY: relay })
  for (const path of ['/console/names', '/console/relay/today', '/console/relay/lists'])
    expect(page).toContain(`href="${path}"`)
})

test('and else they are not', async () => {
  const page = await navigationOf({})
  expect(page).toContain('href="/console/invoices"')
  expect(page).not.toMatch(/href="\/console\/(?:names|relay)/)
})
