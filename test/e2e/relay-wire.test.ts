// The relay from outside: every message and its exact answer, asked over real sockets of the command as npm would publish it
// (specification: relay, 1 to 9). Events are made and signed by a library that is not ours.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { type PackedCli, packCli } from '../support/packed-cli.js'
import { describeCounting, describeManaging, describeWriting } from './relay-wire/asking.js'
import { describeAuth } from './relay-wire/auth.js'
import { describeDeletions } from './relay-wire/deletions.js'
import { describeHttp } from './relay-wire/http.js'
import { describeKeeping } from './relay-wire/keeping.js'
import { describeLimits } from './relay-wire/limits.js'
import { describeListening } from './relay-wire/listening.js'
import { describeMessages } from './relay-wire/messages.js'
import { describeReading } from './relay-wire/reading.js'
import { startRelays, stopRelays } from './relay-wire/relays.js'

let cli: PackedCli
let passed = 0
const folder = mkdtempSync(join(tmpdir(), 'grinpay-plugin-'))

beforeAll(async () => {
  cli = await packCli()
  const plugin = join(folder, 'plugin.cjs')
  await startRelays(cli.entry, plugin, (text) => writeFileSync(plugin, text))
})
afterEach(({ task }) => {
  if (task.result?.state !== 'fail') passed++
})
afterAll(async () => {
  console.log(`relay: ${passed} checks passed over the wire`)
  await stopRelays()
  cli?.remove()
  rmSync(folder, { recursive: true, force: true })
})

describeMessages()
describeReading()
describeListening()
describeKeeping()
describeDeletions()
describeAuth()
describeHttp()
describeCounting()
describeWriting()
describeManaging()
describeLimits() // last: one of its clients waits for a ping meanwhile
