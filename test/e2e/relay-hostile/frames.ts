// Frames that break the rules of websockets, frames that never end, and small ones that grow.

import { connect } from 'node:net'
import { constants, deflateRawSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { frame, rawWebsocket } from '../../support/raw-websocket.js'
import { writer } from '../../support/wire-people.js'
import { MEBIBYTE, residentBytes, targets } from './targets.js'

const EMPTY = Buffer.alloc(0)
const part = (text: string, isLast: boolean, opcode = 0) => frame(text, { opcode, isLast })
const NO_LIST = '["NOTICE","invalid: message is not a JSON list"]'
const UNKNOWN = '["NOTICE","invalid: unknown command"]'
const [PROTOCOL, TOO_BIG, POLICY] = [1002, 1009, 1008]

/** As permessage-deflate sends it: without the last four bytes. */
const deflated = (bytes: Buffer): Buffer =>
  deflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, -4)

export function describeFrames(): void {
  describe('frames against the rules', () => {
    test.each([
      ['a reserved bit', frame('[]', { reserved: 2 }), PROTOCOL],
      ['another reserved bit', frame('[]', { reserved: 1 }), PROTOCOL],
      ['compressed though that was not agreed', frame('[]', { reserved: 4 }), PROTOCOL],
      ['an unknown kind', frame('[]', { opcode: 3 }), PROTOCOL],
      ['an unknown kind of control', frame('', { opcode: 11 }), PROTOCOL],
      ['without mask', frame('["X"]', { isMasked: false }), PROTOCOL],
      ['a ping in parts', frame('x', { opcode: 9, isLast: false }), PROTOCOL],
      ['a ping of 126 bytes', frame('x'.repeat(126), { opcode: 9 }), PROTOCOL],
      ['the rest of nothing', part('x', true), PROTOCOL],
      ['a text within a text', Buffer.concat([part('[', false, 1), frame(']')]), PROTOCOL],
      ['a goodbye of one byte', frame('x', { opcode: 8 }), PROTOCOL],
      ['a close frame with a reserved code', frame(Buffer.of(3, 0xed), { opcode: 8 }), PROTOCOL],
      ['a length of 2 to the 63', frame('x', { length: 1n << 63n }), TOO_BIG],
      ['a length of a gigabyte', frame('x', { length: 1n << 30n }), TOO_BIG],
      ['a byte more than is read', frame('x', { length: 2_097_153n }), TOO_BIG],
      ['two thousand parts', Buffer.concat([part('[', false, 1), ...Array(2000).fill(part('', false))]), POLICY],
    ])('%s ends the connection', async (_what, bytes, code) => {
      const client = await rawWebsocket(targets.relay.port)
      client.write(bytes)
      expect(await client.ended).toBe(code)
    })

    test.each([0, 1, 2, 125, 126, 127, 65_535, 65_536, 262_144, 2_097_152])(
      'a text of %i bytes is answered',
      async (size) => {
        const client = await rawWebsocket(targets.relay.port)
        client.write(frame('x'.repeat(size)))
        expect(await client.text()).toBe(NO_LIST)
        client.destroy()
      },
    )

    test('a message in a thousand parts, with pings between them, is read', async () => {
      const client = await rawWebsocket(targets.relay.port)
      const text = `["${'x'.repeat(995)}"]`
      const parts = [...text].map((letter, n) => part(letter, n === text.length - 1, n === 0 ? 1 : 0))
      client.write(...parts.flatMap((one, n) => (n % 50 === 0 ? [one, frame('ping', { opcode: 9 })] : [one])))
      expect(await client.text()).toBe(UNKNOWN)
      client.destroy()
    })

    test('a message that comes byte by byte is read', async () => {
      const client = await rawWebsocket(targets.relay.port)
      for (const byte of frame('["HELLO"]')) {
        client.write(Buffer.of(byte))
        await new Promise((resolve) => setImmediate(resolve))
      }
      expect(await client.text()).toBe(UNKNOWN)
      client.destroy()
    })

    test('unrequested pongs are ignored', async () => {
      const client = await rawWebsocket(targets.relay.port)
      client.write(...Array(5000).fill(frame('x', { opcode: 10 })), frame('["HELLO"]'))
      expect(await client.text()).toBe(UNKNOWN)
      client.destroy()
    })

    test('more pings at once than can be answered end their connection', async () => {
      const client = await rawWebsocket(targets.relay.port)
      client.write(...Array(5000).fill(frame('y'.repeat(125), { opcode: 9 })))
      expect(await client.ended).toBe(0)
    })

    test('frames that never end, and handshakes that never finish, cost no other client', async () => {
      const halves = [Buffer.of(0x81), frame('x'.repeat(100), { length: 2_097_152n }), part('["REQ"', false, 1), EMPTY]
      const clients = await Promise.all(
        Array.from({ length: 100 }, async (_, n) => {
          const client = await rawWebsocket(targets.relay.port)
          client.write(halves[n % halves.length] ?? EMPTY)
          return client
        }),
      )
      const shaking = Array.from({ length: 100 }, () => {
        const socket = connect(targets.relay.port, '127.0.0.1')
        socket.on('error', () => {})
        socket.write('GET / HTTP/1.1\r\nUpgrade: websocket\r\nConnec')
        return socket
      })
      const good = await targets.relay.client()
      await good.isQuiet()
      for (const client of clients) client.destroy()
      for (const socket of shaking) socket.destroy()
    })

    test('bytes that are no request at all', async () => {
      for (const bytes of [
        Buffer.alloc(5000, 0xff),
        Buffer.from('\u0016\u0003\u0001\u0002\u0000'),
        Buffer.from('\r\n'.repeat(3000)),
      ]) {
        const socket = connect(targets.relay.port, '127.0.0.1')
        socket.on('error', () => {})
        socket.end(bytes)
        socket.resume()
        await new Promise((resolve) => socket.on('close', resolve))
      }
    })
  })

  describe('compressed messages', () => {
    const COMPRESSED = ['Sec-WebSocket-Extensions: permessage-deflate; client_no_context_takeover']

    test('are read, as far as they are no longer than others', async () => {
      const client = await rawWebsocket(targets.relay.port, COMPRESSED)
      client.write(frame(deflated(Buffer.alloc(2_000_000, 'x')), { reserved: 4 }))
      expect(await client.text()).toBe(NO_LIST)
      client.write(frame(deflated(Buffer.alloc(2_097_153, 'x')), { reserved: 4 }))
      expect(await client.ended).toBe(TOO_BIG)
    })

    test('carry what is stored and what comes in', async () => {
      const client = await targets.relay.client({ perMessageDeflate: true })
      expect(client.socket.extensions).toContain('permessage-deflate')
      const who = writer()
      const [stored, fresh] = [who.event({ content: 'x'.repeat(50_000) }), who.event({ content: 'y'.repeat(50_000) })]
      await client.store(stored)
      client.send(['REQ', 's', { authors: [who.pubkey] }])
      expect(await client.take(2)).toEqual([
        ['EVENT', 's', stored],
        ['EOSE', 's'],
      ])
      await (await targets.relay.client()).store(fresh)
      expect(await client.next()).toEqual(['EVENT', 's', fresh])
    })

    test('that grow a thousandfold end their connections, and leave no mark', async () => {
      const bomb = frame(deflated(Buffer.alloc(256 * MEBIBYTE)), { reserved: 4 })
      expect(bomb.length).toBeLessThan(300_000)
      const before = residentBytes(targets.relay)
      for (let round = 0; round < 4; round++) {
        const clients = await Promise.all(
          Array.from({ length: 10 }, () => rawWebsocket(targets.relay.port, COMPRESSED)),
        )
        for (const client of clients) client.write(bomb)
        expect(await Promise.all(clients.map(({ ended }) => ended))).toEqual(Array(10).fill(TOO_BIG))
      }
      const grown = (residentBytes(targets.relay) - before) / MEBIBYTE
      console.log(`40 bombs of 256 MiB: ${grown.toFixed(0)} MiB more than before`)
      expect(grown).toBeLessThan(150)
    })

    test('that are damaged end their connections', async () => {
      for (const bytes of [Buffer.alloc(100, 0xff), Buffer.of(0), deflated(Buffer.from('["X"]')).subarray(1)]) {
        const client = await rawWebsocket(targets.relay.port, COMPRESSED)
        client.write(frame(bytes, { reserved: 4 }), frame('', { opcode: 8 }))
        expect([1002, 1005, 1007, 1000]).toContain(await client.ended)
      }
    })
  })
}
