// The frame: order, limits, settings that are broken, and checks that go wrong themselves.
import { expect, test } from 'vitest'
import { CHECK_NAMES, type CheckFinding, type DoctorCheck, type Finding, fail, pass } from '../../src/doctor/index.js'
import { diagnose, lines } from '../support/doctor.js'

const checkOf = (
  name: string,
  run: () => Promise<readonly Finding[]>,
  over: Partial<DoctorCheck> = {},
): DoctorCheck => ({
  name,
  limitMs: 60_000,
  applies: () => true,
  run,
  ...over,
})

test('findings come in the order of the list, whichever check is done first', async () => {
  let release: () => void = () => undefined
  const first = new Promise<void>((resolve) => {
    release = resolve
  })
  const findings = await diagnose({
    variables: {},
    checks: [
      checkOf('slow', async () => {
        await first
        return [pass('slow'), fail('and bad', 'do it')]
      }),
      checkOf('quick', async () => {
        release()
        return [pass('quick')]
      }),
    ],
  })
  expect(findings.map(({ check }) => check)).toEqual(['settings', 'slow', 'slow', 'quick'])
})

test('findings are reported one by one, with the same content as the answer', async () => {
  const heard: CheckFinding[] = []
  const findings = await diagnose({
    variables: {},
    checks: [checkOf('a', async () => [pass('fine')])],
    tell: (finding) => heard.push(finding),
  })
  expect(heard).toEqual(findings)
})

test('a check that never ends has failed when its time is up, and is reported so', async () => {
  let signal: AbortSignal | undefined
  const hangs: DoctorCheck = {
    name: 'hangs',
    limitMs: 1000,
    applies: () => true,
    run: (context) => {
      signal = context.signal
      return new Promise(() => undefined)
    },
  }
  const findings = await diagnose({ variables: {}, only: ['hangs'], checks: [hangs] })
  expect(lines(findings)).toEqual(['fail no result within 1 s'])
  expect(signal?.aborted).toBe(true)
})

test('a check that throws has failed, with its words', async () => {
  const throws = checkOf('throws', () => Promise.reject(new Error('out of paper')))
  const [finding] = await diagnose({ variables: {}, only: ['throws'], checks: [throws] })
  expect(finding).toMatchObject({ check: 'throws', level: 'fail', detail: 'out of paper' })
})

test('what does not apply is not reported', async () => {
  const never = checkOf('never', async () => [pass('x')], { applies: () => false })
  expect(await diagnose({ variables: {}, only: ['never'], checks: [never] })).toEqual([])
})

test('notices are warnings, and no secret is shown', async () => {
  const findings = await diagnose({
    variables: { PAY_WALLET_PASSWORD: 'correct horse', PAY_WEBHOK_URL: 'x' },
    only: ['settings'],
  })
  expect(findings.map(({ level }) => level)).toEqual(['pass', 'warn', 'warn'])
  expect(JSON.stringify(findings)).not.toContain('correct horse')
})

test('broken settings are reported whatever was asked for, and nothing else is tried', async () => {
  const findings = await diagnose({ variables: { PAY_BIND: 'x', PAY_CONFIRMATIONS: '0' }, only: ['relay'] })
  expect(findings.map(({ check, level }) => [check, level])).toEqual([
    ['settings', 'fail'],
    ['settings', 'fail'],
  ])
})

test('every failure and every warning of an empty machine has a remedy', async () => {
  const findings = await diagnose({
    variables: { PAY_GRIN1_RAIL: 'on', PAY_TOR_CONTROL: '127.0.0.1:9', PAY_NODE_URL: 'http://127.0.0.1:9' },
  })
  // The rows are in a file, no receiver takes webhooks, no file of settings belongs to a unit, and there is no console.
  const silent = ['cluster', 'webhook', 'service', 'console']
  expect(new Set(findings.map(({ check }) => check))).toEqual(
    new Set(CHECK_NAMES.filter((name) => !silent.includes(name))),
  )
  for (const { level, remedy } of findings) expect(remedy === undefined).toBe(level === 'pass')
})

test('money that hangs on the word of nodes of other people is warned of, unless two must agree', async () => {
  const warned = async (urls: string, more = {}) => {
    const findings = await diagnose({ variables: { PAY_NODE_URL: urls, ...more }, only: ['node'] })
    return findings
      .filter(({ detail }) => /third part(y|ies) runs?/.test(detail))
      .map(({ level, detail }) => `${level} ${detail}`)
  }
  const both = 'https://one.invalid,https://two.invalid'
  expect(await warned('https://one.invalid')).toEqual(['warn it alone says what is paid, and a third party runs it'])
  expect(await warned(both)).toEqual([
    'warn one of one.invalid, two.invalid alone says what is paid, and third parties run them',
  ])
  expect(await warned(both, { PAY_CONFIRM_NODES: '2' })).toEqual([])
  expect(await warned(`http://127.0.0.1:9,${both}`)).toEqual([])
})
