// The log of a relay on real nodes: one order for several front ends, and what a lost primary, connection or bell leaves of it.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { relayLogNewer } from '../../src/storage/errors.js'
import { RULES } from '../../src/storage/events/write/decide.js'
import { raiseRules } from '../../src/storage/postgres/relay-log/rules.js'
import { type Cluster, startCluster } from '../support/postgres/cluster.js'
import { anEvent, type FrontEnd, frontEndOn } from '../support/postgres/relay-logs.js'
import { freshLogPlace } from '../support/postgres/schemas.js'

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster()
})
afterAll(() => cluster?.stop())

const SOON = { timeout: 15_000, interval: 10 }

/** Positions from 1 without gaps, each once. */
const expectGapless = ({ entries }: FrontEnd) =>
  expect(entries.map(({ pos }) => pos)).toEqual(entries.map((_, at) => at + 1))

test('many front ends append at once: all get the same entries in the same order', async () => {
  const place = await freshLogPlace(cluster.url())
  const fronts = await Promise.all(Array.from({ length: 6 }, () => frontEndOn(place)))
  const EACH = 200
  await Promise.all(
    fronts.map(async ({ log }, who) => {
      for (let at = 0; at < EACH; at++) {
        log.append([anEvent(`${who}:${at}`)])
        if (at % 3 === 0) await sleep(1)
      }
    }),
  )
  const all = fronts.length * EACH
  await expect.poll(() => fronts.map(({ contents }) => contents.length), SOON).toEqual(fronts.map(() => all))
  const [first] = fronts
  for (const [who, front] of fronts.entries()) {
    expectGapless(front)
    expect(front.entries.map(({ contents }) => contents)).toEqual(first?.entries.map(({ contents }) => contents))
    expect(front.contents.filter((content) => content.startsWith(`${who}:`))).toEqual(
      Array.from({ length: EACH }, (_, at) => `${who}:${at}`),
    )
    expect([...front.answered.keys()].every((content) => content.startsWith(`${who}:`))).toBe(true)
    expect(front.answered.size).toBe(EACH)
  }
  const late = await frontEndOn(place, { after: 5 })
  await expect.poll(() => late.position(), SOON).toBe(first?.position())
  expect(late.entries[0]?.pos).toBe(6)
})

test('nothing is appended before the others know this front end: they would forget where its numbers stand', async () => {
  const place = await freshLogPlace(cluster.url())
  const other = await frontEndOn(place)
  other.log.append([anEvent('first')])
  await expect.poll(() => other.contents, SOON).toEqual(['first'])
  const [primary] = cluster.nodes
  await primary.sql(`ALTER TABLE ${place.schema}.replica ADD CONSTRAINT closed CHECK (false) NOT VALID`)
  const early = await frontEndOn(place)
  await expect.poll(() => early.contents, SOON).toEqual(['first'])
  early.log.append([anEvent('early')])
  other.log.append([anEvent('second')])
  await expect.poll(() => early.contents, SOON).toContain('second')
  expect(await primary.sql(`SELECT count(*)::int AS origins FROM ${place.schema}.origin`)).toEqual([{ origins: 1 }])
  await primary.sql(`ALTER TABLE ${place.schema}.replica DROP CONSTRAINT closed`)
  await expect.poll(() => early.contents, SOON).toEqual(['first', 'second', 'early'])
})

test('an entry that the store could not apply comes again, and the next one after it', async () => {
  const place = await freshLogPlace(cluster.url())
  let problems = 3
  const weak = await frontEndOn(place, {
    applying: ({ pos }) => (pos === 2 && problems-- > 0 ? { cause: new Error('disk') } : undefined),
  })
  weak.log.append([anEvent('a')])
  // What comes before its row is there goes together, as one entry.
  await expect.poll(() => weak.contents, SOON).toEqual(['a'])
  for (const content of ['b', 'c']) {
    weak.log.append([anEvent(content)])
    await sleep(20)
  }
  await expect.poll(() => weak.contents, SOON).toEqual(['a', 'b', 'c'])
  expect(problems).toBe(-1)
})

test('what the store cannot apply is told as failed after the patience, and comes later as an entry of others does', async () => {
  const place = await freshLogPlace(cluster.url())
  let isFull = true
  const weak = await frontEndOn(place, {
    patienceMs: 500,
    applying: () => (isFull ? { cause: new Error('disk') } : undefined),
  })
  weak.log.append([anEvent('late')])
  await expect.poll(() => weak.failed, SOON).toEqual(['late'])
  expect(weak.contents).toEqual([])
  isFull = false
  await expect.poll(() => weak.contents, SOON).toEqual(['late'])
  expect(weak.entries).toMatchObject([{ isOwn: false }])
})

test('entries that newer rules decide are not applied: a front end that does not know them stops, and does not start', async () => {
  const place = await freshLogPlace(cluster.url())
  const [writer, reader] = [await frontEndOn(place), await frontEndOn(place)]
  writer.log.append([anEvent('before')])
  await expect.poll(() => reader.contents, SOON).toEqual(['before'])
  expect(await raiseRules(place, '9.9.9', RULES + 1)).toEqual({ before: RULES, rules: RULES + 1 })
  // They do not fall again.
  expect(await raiseRules(place, '9.9.9')).toEqual({ before: RULES + 1, rules: RULES + 1 })
  writer.log.append([anEvent('after')])
  for (const { log, contents } of [writer, reader]) {
    expect(await log.failure).toSatisfy(relayLogNewer.is)
    expect(contents).toEqual(['before'])
  }
  expect(writer.answered.has('after')).toBe(false)
  await expect(frontEndOn(place)).rejects.toSatisfy(relayLogNewer.is)
})

describe('a connection', () => {
  const cut = (condition: string) =>
    cluster.nodes[0].sql(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'grinpay relay' AND (${condition})`,
    )

  test('is cut again and again under load: nothing is lost or doubled, and a repeated append is found', async () => {
    const place = await freshLogPlace(cluster.url())
    const fronts = await Promise.all([frontEndOn(place), frontEndOn(place), frontEndOn(place)])
    const EACH = 400
    let isOver = false
    const cutting = (async () => {
      while (!isOver) {
        await cut('true')
        await sleep(150)
      }
    })()
    for (let at = 0; at < EACH; at++) {
      for (const [who, { log }] of fronts.entries()) log.append([anEvent(`${who}:${at}`)])
      await sleep(5)
    }
    isOver = true
    await cutting
    const wanted = EACH * fronts.length
    await expect.poll(() => fronts.map(({ contents }) => contents.length), SOON).toEqual(fronts.map(() => wanted))
    for (const front of fronts) {
      expectGapless(front)
      expect(new Set(front.contents).size).toBe(wanted)
      expect(front.failed).toEqual([])
      expect(front.entries).toEqual(
        fronts[0]?.entries.map((entry, at) => ({ ...entry, isOwn: front.entries[at]?.isOwn })),
      )
    }
  })

  test('for listening is cut and no bell is heard: looking finds everything within 100 ms', async () => {
    const place = await freshLogPlace(cluster.url())
    const [writer, reader] = [await frontEndOn(place), await frontEndOn(place)]
    let isOver = false
    const silencing = (async () => {
      while (!isOver) {
        await cut("query LIKE 'LISTEN%' OR query LIKE '%pg_notify%'")
        await sleep(20)
      }
    })()
    const sent: number[] = []
    for (let at = 0; at < 200; at++) {
      sent.push(performance.now())
      writer.log.append([anEvent(`${at}`)])
      await expect.poll(() => reader.contents.length, { timeout: 5000, interval: 1 }).toBe(at + 1)
      sent[at] = performance.now() - Math.max(sent[at] ?? 0, writer.answered.get(`${at}`) ?? 0)
    }
    isOver = true
    await silencing
    const [p50, p99] = percentiles(sent)
    console.log('lag by looking alone, ms after the writer has it:', { p50, p99 })
    expect(reader.contents).toEqual(Array.from({ length: 200 }, (_, at) => `${at}`))
    expect(p99).toBeLessThan(100)
  })
})

function percentiles(values: readonly number[]): readonly [number, number] {
  const sorted = [...values].sort((one, other) => one - other)
  const at = (share: number) => Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10
  return [at(0.5), at(0.99)]
}

describe('while no standby answers', () => {
  async function alone<T>(work: () => Promise<T>): Promise<T> {
    const [, ...standbys] = cluster.nodes
    for (const node of standbys) node.freeze()
    try {
      return await work()
    } finally {
      for (const node of standbys) node.thaw()
    }
  }
  const count = async (condition: string) =>
    Number((await cluster.nodes[0].sql(`SELECT count(*) AS n FROM pg_stat_activity WHERE ${condition}`))[0]?.n)

  test('an append fails after its patience, and comes at most once, later', async () => {
    const place = await freshLogPlace(cluster.url())
    const [front, other] = [await frontEndOn(place, { patienceMs: 1000 }), await frontEndOn(place)]
    front.log.append([anEvent('first')])
    await expect.poll(() => other.contents, SOON).toEqual(['first'])
    let slots = 0
    await alone(async () => {
      const started = performance.now()
      for (let at = 0; at < 20; at++) {
        front.log.append([anEvent(`lost ${at}`)])
        await sleep(50)
      }
      await expect.poll(() => front.failed.length, { timeout: 5000, interval: 20 }).toBe(20)
      expect(performance.now() - started).toBeLessThan(3000)
      for (let second = 0; second < 8; second++) {
        front.log.append([anEvent(`later ${second}`)])
        await sleep(1000)
        slots = Math.max(slots, await count("application_name = 'grinpay relay'"))
      }
      expect([front.contents, other.contents]).toEqual([['first'], ['first']])
    })
    front.log.append([anEvent('last')])
    await expect.poll(() => other.contents.at(-1), { timeout: 5000 }).toBe('last')
    await expect.poll(() => front.contents, SOON).toEqual(other.contents)
    expectGapless(front)
    expect(new Set(front.contents).size).toBe(front.contents.length)
    // What had been sent when they went; what only waited was never sent.
    expect(front.contents.filter((content) => content.startsWith('lost'))).toEqual(['lost 0'])
    expect(front.answered.has('lost 0')).toBe(false)
    expect(slots).toBeLessThanOrEqual(12)
  })

  const APPENDING = "wait_event = 'SyncRep' AND application_name = 'grinpay relay' AND query LIKE '%INSERT INTO log%'"

  // The server ends the statement as a success (3 of section 3 in the contract).
  test.each(['pg_cancel_backend', 'pg_terminate_backend'])('%s does not make an append done', async (end) => {
    const place = await freshLogPlace(cluster.url())
    const front = await frontEndOn(place, { patienceMs: 30_000 })
    front.log.append([anEvent('first')])
    await expect.poll(() => front.contents, SOON).toEqual(['first'])
    await alone(async () => {
      front.log.append([anEvent('cut')])
      await expect.poll(() => count(APPENDING), SOON).toBe(1)
      await cluster.nodes[0].sql(`SELECT ${end}(pid) FROM pg_stat_activity WHERE ${APPENDING}`)
      await sleep(2000)
      expect(front.contents).toEqual(['first'])
    })
    await expect.poll(() => front.contents, SOON).toEqual(['first', 'cut'])
    expect(front.answered.has('cut')).toBe(true)
    expect(front.failed).toEqual([])
    expectGapless(front)
  })
})
