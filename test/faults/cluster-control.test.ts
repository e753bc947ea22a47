// The control of cluster-rounds.test.ts: the same cluster with commits that wait for no standby loses what it acknowledged, and every daemon notices.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { cleanEnvironment, ROOT, type TillProcess } from '../support/till-process.js'
import { examine } from './cluster-checker.js'
import { startLoad } from './cluster-load.js'
import { type Front, openStage, type Stage } from './cluster-stage.js'

const COINS = 40
const LOAD_MS = 4000
const OUTAGE_MS = 500
const NOTICED_MS = 20_000
const SAYS = 'grinpay: the database has lost'

/** No standby receives anything for half a second; then the primary dies, and the standbys come back without it. */
async function loseWithoutReplication(stage: Stage): Promise<void> {
  const standbys = stage.standbys()
  await Promise.all(standbys.map((node) => node.kill()))
  await sleep(OUTAGE_MS)
  await stage.primary().kill()
  await Promise.all(standbys.map((node) => node.start()))
  await stage.failOver()
}

/** What it printed, when it has ended. */
const lastWords = async ({ ended, output }: TillProcess): Promise<string> =>
  Promise.race([ended.then(output), sleep(NOTICED_MS).then(() => `it goes on: ${output().slice(-500)}`)])

/** What it says when it is started again. */
async function refusal(front: Pick<Front, 'start' | 'process'>): Promise<string> {
  try {
    await front.start()
  } catch (error) {
    return String(error)
  }
  return lastWords(front.process())
}

const adopt = (daemon: string, { settings }: Front) =>
  promisify(execFile)(process.execPath, [join(ROOT, 'bin/run.js'), 'store', 'adopt', '--daemon', daemon, '--yes'], {
    env: cleanEnvironment(settings),
  })

test('without synchronous replication acknowledged changes are lost; tills, name authorities and relays stop, and stay stopped', async () => {
  const stage = await openStage({ isAsynchronous: true })
  onTestFinished(stage.close)
  const { tills, names, relays } = stage
  await stage.payer.fund(COINS)
  await stage.ready()
  const load = startLoad(stage)
  await sleep(LOAD_MS)
  await loseWithoutReplication(stage)
  const all = [...tills, ...names, ...relays]
  const words = await Promise.all(all.map((front) => lastWords(front.process())))
  await load.stop()
  const { tills: lostOfTills, names: lostNames } = await examine(stage.primary(), load.ledger)
  console.log({
    lostOfTills: lostOfTills.length,
    lostNames: lostNames.length,
    invoices: load.ledger.till.invoices.size,
  })
  expect(lostOfTills.length + lostNames.length).toBeGreaterThan(0)
  expect(words).toEqual(all.map(() => expect.stringContaining(SAYS)))
  for (const front of all) expect(await refusal(front)).toContain(SAYS)

  for (const till of tills) await adopt('pay', till)
  for (const authority of names) await adopt('nameauth', authority)
  for (const front of [...tills, ...names]) await front.start()
  const { keys } = await examine(stage.primary(), load.ledger)
  expect(keys).toEqual([])
})
