// Many who say nothing, and many who ask much.
import { describe, expect, test } from 'vitest'
import { type RawWebsocket, rawWebsocket } from '../../support/raw-websocket.js'
import { now, writer } from '../../support/wire-people.js'
import { residentBytes, targets } from './targets.js'

const SILENT = 2000
const idsOf = (count: number, digit: string) =>
  Array.from({ length: count }, (_, n) => n.toString(16).padStart(64, digit))

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

export function describeCrowds(): void {
  describe('crowds', () => {
    test(`${SILENT} connections that never speak cost little memory, and no other client`, async () => {
      const before = residentBytes(targets.relay)
      const silent: RawWebsocket[] = []
      while (silent.length < SILENT)
        silent.push(...(await Promise.all(Array.from({ length: 100 }, () => rawWebsocket(targets.relay.port)))))
      const each = (residentBytes(targets.relay) - before) / SILENT / 1024
      console.log(`${SILENT} silent connections: ${each.toFixed(1)} KiB each`)
      expect(each).toBeLessThan(40)
      const client = await targets.relay.client()
      const events = Array.from({ length: 20 }, () => writer().event())
      expect(await timeOf(() => client.store(...events))).toBeLessThan(5000)
      for (const one of silent) one.destroy()
    })

    test('a thousand subscriptions in one breath are all answered, while another one is served', async () => {
      const [greedy, good] = [await targets.relay.client(), await targets.relay.client()]
      for (let n = 0; n < 1000; n++) {
        greedy.send(['REQ', `s${n}`, { kinds: [n], limit: 5 }])
        greedy.send(['CLOSE', `s${n}`])
      }
      greedy.send(['REQ', 'last', { ids: [] }])
      const served = timeOf(() => good.store(writer().event()))
      const last = async () => {
        for (;;) {
          const [verb, name] = await greedy.next()
          if (verb === 'EOSE' && name === 'last') return
        }
      }
      expect(await timeOf(last)).toBeLessThan(10_000)
      expect(await served).toBeLessThan(5000)
    })

    test('a thousand that stand at once: twenty each for fifty people, and the twenty-first is refused', async () => {
      const tag = `crowd ${now()}`
      const people = await Promise.all(Array.from({ length: 50 }, () => targets.relay.client()))
      for (const one of people) for (let n = 0; n < 21; n++) one.send(['REQ', `s${n}`, { '#t': [tag], since: n }])
      for (const one of people) {
        const answers = await one.take(21)
        expect(answers.filter(([verb]) => verb === 'EOSE')).toHaveLength(20)
        expect(answers.filter(([verb]) => verb === 'CLOSED')).toEqual([
          ['CLOSED', 's20', 'rate-limited: too many subscriptions'],
        ])
      }
      const event = writer().event({ tags: [['t', tag]] })
      await (await targets.relay.client()).store(event)
      for (const one of people) {
        const seen = await one.take(20)
        expect(new Set(seen.map(([verb, name]) => `${verb} ${name}`)).size).toBe(20)
      }
    })

    test.each(['ids', 'authors', '#e', '#p'])(
      'ten thousand %s are refused, five thousand are looked for',
      async (member) => {
        const client = await targets.relay.client()
        const many = idsOf(10_000, 'a')
        await client.expects(
          ['REQ', 's', { [member]: many }],
          [['CLOSED', 's', `invalid: too many values, with ${member}`]],
        )
        const event = writer().event()
        const asked = [...many.slice(0, 4999), member === 'ids' ? event.id : event.pubkey]
        const time = timeOf(async () => {
          client.send(['REQ', 's', { [member]: asked }])
          await client.until('EOSE')
        })
        expect(await time).toBeLessThan(5000)
        if (member === '#e' || member === '#p') return
        await (await targets.relay.client()).store(event)
        expect(await client.next()).toEqual(['EVENT', 's', event])
      },
    )

    test('two hundred filters of five thousand authors together, again and again, cost the others little, and more are refused', async () => {
      const [greedy, good] = [await targets.relay.client(), await targets.relay.client()]
      const filtersOf = (authors: number) =>
        Array.from({ length: 200 }, (_, n) => ({ authors: idsOf(authors, (n % 10).toString()), kinds: [n] }))
      const tooMany = [['CLOSED', 's', 'invalid: too many values, with authors']]
      await greedy.expects(['REQ', 's', ...filtersOf(140)], tooMany)
      const filters = filtersOf(24)
      for (let n = 0; n < 10; n++) greedy.send(['REQ', `s${n % 2}`, ...filters])
      expect(await timeOf(() => good.store(writer().event()))).toBeLessThan(5000)
      const answered = new Set<unknown>()
      while (answered.size < 2) {
        const [verb, name] = await greedy.next()
        if (verb === 'EOSE') answered.add(name)
      }
      greedy.send(['REQ', 'further', ...filters]) // 600 filters on one connection
      const refused = (await greedy.until('CLOSED')).at(-1)
      expect([refused?.[1], refused?.[2]]).toEqual(['further', expect.stringMatching(/^rate-limited: /)])
    })
  })
}
