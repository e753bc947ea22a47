// One connection: order, deadlines, bounds, and what its errors may say.
import { expect, onTestFinished, test } from 'vitest'
import { openChannel, openSocketStream } from '../../src/tor/channel.js'
import { createFakeClock } from '../support/fake-clock.js'
import { type FakeTorOptions, startFakeTor } from '../support/fake-tor.js'

const never = new AbortController().signal

async function connected(answer: FakeTorOptions['answer']) {
  const tor = await startFakeTor({ answer })
  onTestFinished(tor.close)
  const clock = createFakeClock()
  const channel = await openChannel({ endpoint: tor.endpoint, openStream: openSocketStream, clock }, never)
  onTestFinished(channel.close)
  return { tor, clock, channel }
}

test('answers find their questions, with events in between', async () => {
  const { channel } = await connected((command) => `650 EVENT before ${command}\r\n250 answer to ${command}`)
  const heard: string[] = []
  channel.listen((line) => heard.push(line))
  const [one, two] = await Promise.all([channel.ask('ONE'), channel.ask('TWO', 'words')])
  expect([one.lines[0]?.text, two.lines[0]?.text]).toEqual(['answer to ONE', 'answer to TWO words'])
  expect(heard).toEqual(['EVENT before ONE', 'EVENT before TWO words'])
})

test('a refusal names the command and what tor said, but nothing as long as a key', async () => {
  const { channel } = await connected((command) => `512 bad\u0007 argument ${command}`)
  await expect(channel.ask('ADD_ONION', `ED25519-V3:${'Key+/'.repeat(10)}==`)).rejects.toThrow(
    /^tor refused ADD_ONION: 512 bad {2}argument ADD_ONION ED25519-V3:…$/,
  )
})

test('a refusal leaves the connection usable, a missing answer ends it', async () => {
  const { channel, clock, tor } = await connected((command) => (command === 'HANG' ? null : '510 no'))
  await expect(channel.ask('NO')).rejects.toMatchObject({ code: 'TOR_REFUSED' })
  const hanging = [channel.ask('HANG'), channel.ask('HANG', 'again')].map((asked) => asked.catch(({ code }) => code))
  await tor.waitForCommand('HANG again')
  await clock.advance(10_000)
  expect(await Promise.all(hanging)).toEqual(['TOR_SILENT', 'TOR_SILENT'])
  await expect(channel.ask('LATER')).rejects.toMatchObject({ code: 'TOR_SILENT' })
  expect(channel.over.aborted).toBe(true)
  expect(clock.sleepers()).toBe(0)
})

test('an unrequested answer ends the connection', async () => {
  const { channel } = await connected(() => '250 OK\r\n250 OK')
  await channel.ask('ONE')
  await expect(channel.ask('TWO')).rejects.toMatchObject({ code: 'TOR_NONSENSE' })
})

test('a flood without end is cut off', async () => {
  const { channel } = await connected(() => `250-${'x'.repeat(1000)}\r\n`.repeat(400).trim())
  await expect(channel.ask('ONE')).rejects.toThrow(/a reply of more than/)
})

test('a connection that tor closes fails what is under way', async () => {
  const { channel, tor } = await connected(() => null)
  const asked = channel.ask('ONE')
  await tor.waitForCommand('ONE')
  tor.cut()
  await expect(asked).rejects.toMatchObject({ code: 'TOR_DISCONNECTED' })
})

test('a line break in an argument is a bug, not a second command', async () => {
  const { channel, tor } = await connected(() => '250 OK')
  await expect(channel.ask('ONE', 'a\r\nTWO')).rejects.toThrow('line break')
  expect(tor.commands).toEqual([])
})

test('a port where nothing listens, a socket that is not there', async () => {
  const tor = await startFakeTor()
  await tor.close()
  const clock = createFakeClock()
  const open = (endpoint: Parameters<typeof openSocketStream>[0]) =>
    openChannel({ endpoint, openStream: openSocketStream, clock }, never)
  await expect(open(tor.endpoint)).rejects.toThrow(/^tor cannot be reached at 127.0.0.1:\d+: nothing listens there/)
  await expect(open({ path: '/nowhere/control' })).rejects.toThrow(
    'tor cannot be reached at unix:/nowhere/control: there is no such socket',
  )
  expect(clock.sleepers()).toBe(0)
})

test('a connection that is never made is given up after 10 s, or when it is no longer wanted', async () => {
  const clock = createFakeClock()
  const hanging = (signal: AbortSignal) =>
    openChannel(
      {
        endpoint: { path: '/x' },
        clock,
        openStream: (_, __, given) =>
          new Promise((_, reject) => given.addEventListener('abort', () => reject(new Error('given up')))),
      },
      signal,
    ).catch(({ code }) => code)
  const late = hanging(never)
  await clock.advance(10_000)
  expect(await late).toBe('TOR_UNREACHABLE')
  const unwanted = new AbortController()
  const cancelled = hanging(unwanted.signal)
  unwanted.abort()
  expect(await cancelled).toBe('TOR_UNREACHABLE')
  expect(clock.sleepers()).toBe(0)
})
