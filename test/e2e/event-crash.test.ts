// A relay's database under a process that is killed, and on a disk that is full.
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { damageIn, note, nothingPromised, runEventRounds, startEventHammer } from '../faults/event-rounds.js'
import { canHaveDisk } from '../faults/trouble.js'

test('a relay killed at any moment keeps the events that it acknowledged, and nothing that was deleted or replaced', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-event-crash-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { acknowledged, damage } = await runEventRounds(join(folder, 'relay.db'), 10)
  expect(damage).toEqual([])
  expect(acknowledged).toBeGreaterThan(1000)
})

test.runIf(canHaveDisk())('on a full disk nothing half is written; with room again it goes on', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-event-disk-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const mounted = `mount -t tmpfs -o size=12000k none ${folder} && exec "$@"`
  const child = startEventHammer(join(folder, 'relay.db'), 0, ['unshare', '-rm', 'sh', '-c', mounted, 'sh'])
  onTestFinished(() => void child.kill('SIGKILL'))
  const inside = `/proc/${child.pid}/root${folder}`
  const promised = nothingPromised()
  let refused = 0
  let after = 0
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === 'ready') writeFileSync(join(inside, 'ballast'), Buffer.alloc(6_000_000))
    note(promised, line)
    if (line.startsWith('{"full"') && ++refused === 3) rmSync(join(inside, 'ballast'))
    if (refused >= 3 && line.startsWith('{"stays"') && ++after === 40) break
  }
  child.kill('SIGSTOP')
  const copy = mkdtempSync(join(tmpdir(), 'grinpay-event-disk-'))
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }))
  for (const end of ['', '-wal']) copyFileSync(join(inside, `relay.db${end}`), join(copy, `relay.db${end}`))
  expect(refused).toBeGreaterThanOrEqual(3)
  expect(await damageIn(join(copy, 'relay.db'), promised)).toEqual([])
})
