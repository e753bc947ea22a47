// Troubles of a name authority's database other than a kill: another process that holds it, a disk that is full. What is answered then must be true.
import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { pause } from '../faults/name-load.js'
import { type Claimed, openSingle } from '../faults/name-single.js'
import { canHaveDisk, fillDisk, holdLock } from '../faults/trouble.js'

async function opened(diskKiB?: number) {
  const single = await openSingle(diskKiB)
  onTestFinished(single.close)
  return single
}

const statusesOf = (claims: readonly Claimed[]) => claims.map(({ answer }) => answer?.status)
const failed = ({ answer }: Claimed): boolean => answer?.status === 500

test('who holds the database for seconds makes claims wait, not fail', async () => {
  const single = await opened()
  const letGo = holdLock(single.path)
  const claims = single.claim('zolewa', 'rigatx', 'vabesq')
  await pause(2000)
  letGo()
  expect(statusesOf(await claims)).toEqual([201, 201, 201])
  expect(single.faults()).toEqual([])
})

test('who holds it for longer makes them fail, truly: nothing happened, and the same requests are good afterwards', async () => {
  const single = await opened()
  const letGo = holdLock(single.path)
  const claims = await single.claim('zolewa', 'rigatx')
  expect(claims.map(({ answer }) => [answer?.status, answer?.json.error])).toEqual([
    [500, 'db error'],
    [500, 'db error'],
  ])
  expect((await single.authority.get('/api/v1/name/zolewa'))?.json).toMatchObject({ available: true })
  letGo()
  expect(single.faults()).toEqual([])
  expect(statusesOf(await single.repeat(claims))).toEqual([201, 201])
  expect(statusesOf(await single.repeat(claims))).toEqual([401, 401])
  expect(single.faults()).toEqual([])
})

test.runIf(canHaveDisk())(
  'on a full disk nothing is acknowledged that is not kept; with room again it goes on',
  async () => {
    const single = await opened(4096)
    const ballast = join(dirname(single.path), 'ballast')
    expect(statusesOf(await single.claim('zolewa', 'rigatx'))).toEqual([201, 201])
    fillDisk(ballast)
    const claims: Claimed[] = []
    for (let at = 0; at < 400 && claims.filter(failed).length < 5; at += 1)
      claims.push(...(await single.claim(`a${at}q`, `e${at}x`)))
    expect(claims.filter(failed).length).toBeGreaterThanOrEqual(5)
    expect(single.faults()).toEqual([])
    const known = await single.authority.get('/api/v1/profile/zolewa')
    expect([known?.status, (await single.authority.get('/ready'))?.status]).toEqual([200, 503])

    rmSync(ballast)
    const again = await single.repeat(claims.filter(failed))
    expect(new Set(statusesOf(again))).toEqual(new Set([201]))
    await expect.poll(async () => (await single.authority.get('/ready'))?.status, { timeout: 10_000 }).toBe(200)
    expect(single.faults()).toEqual([])
  },
)
