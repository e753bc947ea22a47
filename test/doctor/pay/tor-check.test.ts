// What the doctor says of tor, against a control port on a real socket.
import { afterEach, expect, test } from 'vitest'
import { addressOfSeed, formatAddress, formatOnion } from '../../../src/grin/slatepack/index.js'
import { diagnose, lines } from '../../support/doctor.js'
import { type FakeTor, type FakeTorOptions, startFakeTor } from '../../support/fake-tor.js'

const key = addressOfSeed(new Uint8Array(32).fill(5))
const [ADDRESS, ONION] = [formatAddress('grin', key), formatOnion(key)]

let tor: FakeTor
afterEach(() => tor.close())

async function look(options: FakeTorOptions = {}, variables: Record<string, string> = {}) {
  tor = await startFakeTor(options)
  if (!('port' in tor.endpoint)) throw new Error('TCP was wanted')
  const control = `${tor.endpoint.host}:${tor.endpoint.port}`
  return diagnose({
    variables: { PAY_GRIN1_RAIL: 'on', PAY_TOR_CONTROL: control, ...variables },
    only: ['tor'],
    address: ADDRESS,
  })
}

const served = (command: string) =>
  command === `GETINFO hs/service/desc/id/${ONION}` ? '250+hs/service/desc/id=\r\nx\r\n.\r\n250 OK' : undefined

/** Knows the service, and answers HSFETCH with this event. */
const fetching = (event: string) => (command: string) => {
  if (command === `HSFETCH ${ONION}`) return `250 OK\r\n${event}`
  return served(command)
}

test('a service that is published is fetched back', async () => {
  const findings = await look({ answer: fetching(`650 HS_DESC RECEIVED ${ONION} NO_AUTH $AB~x desc`) })
  expect(lines(findings)).toEqual([
    'pass tor 0.0.0-fake lets us in',
    'pass tor has joined its network',
    expect.stringMatching(new RegExp(`^pass ${ONION}\\.onion is published: fetched back in \\d+ ms$`)),
  ])
})

test('the doctor hands no key to tor and takes no service down', async () => {
  await look({ answer: served })
  expect(tor.commands.filter((command) => /^(ADD|DEL)_ONION/.test(command))).toEqual([])
})

test('a descriptor that no directory has is a warning: it may be on its way', async () => {
  const findings = await look({ answer: fetching(`650 HS_DESC FAILED ${ONION} NO_AUTH $AB~x desc REASON=NOT_FOUND`) })
  expect(findings.at(-1)).toMatchObject({ level: 'warn', detail: expect.stringContaining('(NOT_FOUND)') })
})

test('a service that tor does not know', async () => {
  const findings = await look()
  expect(findings.at(-1)).toMatchObject({
    level: 'fail',
    detail: `tor does not serve ${ONION}.onion`,
    remedy: expect.stringContaining('start the till'),
  })
})

test('a tor that is still joining its network', async () => {
  const findings = await look({
    answer: (command) =>
      command === 'GETINFO status/bootstrap-phase'
        ? '250-status/bootstrap-phase=NOTICE BOOTSTRAP PROGRESS=45 TAG=x SUMMARY="Loading"\r\n250 OK'
        : undefined,
  })
  expect(lines(findings)).toEqual(['pass tor 0.0.0-fake lets us in', 'fail tor is joining its network: 45 %, Loading'])
})

test('a tor that refuses every login, with the remedy of that error and without the password', async () => {
  const findings = await look({ methods: 'HASHEDPASSWORD', password: 'right' }, { PAY_TOR_PASSWORD: 'wrong-horse' })
  expect(findings).toHaveLength(1)
  expect(findings[0]).toMatchObject({ level: 'fail', remedy: expect.stringContaining('PAY_TOR_PASSWORD') })
  expect(JSON.stringify(findings)).not.toContain('wrong-horse')
})

test('a service that another process keeps is not looked at', async () => {
  expect((await look({}, { PAY_TOR_CONTROL: 'off' }))[0]).toMatchObject({ level: 'warn' })
})
