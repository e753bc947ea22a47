import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import RelayAllow from '../../../src/commands/relay/allow.js'
import RelayBan from '../../../src/commands/relay/ban.js'
import { formatNpub } from '../../../src/nostr/nip19/index.js'
import { runCommandClass } from '../../support/run-command.js'
import { temporaryFolder } from '../../support/temporary-store.js'

const [ADA, ID] = ['a1'.repeat(32), 'e1'.repeat(32)] as const
let folder: string

beforeEach(() => {
  const place = temporaryFolder()
  folder = place.folder
  onTestFinished(place.remove)
})

const ban = (...argv: string[]) => runCommandClass(RelayBan, [...argv, '--db', folder])
const allow = (...argv: string[]) => runCommandClass(RelayAllow, [...argv, '--db', folder])
const why = ['--reason', 'because']
const lists = () => JSON.parse(readFileSync(join(folder, 'relay-lists.json'), 'utf8'))
const audit = () =>
  readFileSync(join(folder, 'relay-audit.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

describe('ban', () => {
  test.each([
    ['bannedKeys', ADA, [ADA]],
    ['bannedKeys', ADA, [formatNpub(ADA)]],
    ['bannedKinds', '4', ['--kind', '4']],
    ['blockedAddresses', '203.0.113.0/24', ['--address', '203.0.113.0/24']],
    ['bannedEvents', ID, ['--event', ID.toUpperCase()]],
  ])('puts on %s', async (list, entry, argv) => {
    const { stdout, exit } = await ban(...argv, ...why)
    expect([exit, stdout]).toEqual([0, expect.stringMatching(new RegExp(`${entry} is banned now\n$`))])
    expect(lists()[list]).toEqual({ [entry]: { reason: 'because', since: expect.any(Number) } })
    expect((await ban(...argv, ...why)).stdout).toContain('is banned, as before')
    expect((await ban(...argv, ...why, '--remove')).stdout).toContain('is not banned now')
    expect(lists()[list]).toEqual({})
    expect(audit()).toMatchObject([
      { by: 'command', do: 'add', list, entry, reason: 'because' },
      { do: 'add' },
      { do: 'remove' },
    ])
  })

  test('shows what is banned and changes nothing', async () => {
    await ban(ADA, ...why)
    const { stdout } = await ban('--list')
    expect(stdout).toMatch(new RegExp(`^banned key\t${ADA}\t20\\d\\d-[^\t]+Z\tbecause\n$`))
    const document = JSON.parse((await ban('--list', '--json')).stdout)
    expect(document).toEqual({
      items: [{ list: 'bannedKeys', entry: ADA, since: expect.stringMatching(/Z$/), reason: 'because' }],
      next: null,
    })
    expect(audit().length).toBe(1)
  })
})

describe('allow', () => {
  test('takes off what was banned, or puts on what is allowed', async () => {
    await ban(ADA, ...why)
    expect((await allow(ADA, ...why)).stdout).toBe(`key ${ADA} is allowed now\n`)
    expect(lists()).toMatchObject({ bannedKeys: {}, allowedKeys: { [ADA]: {} } })
    await ban('--event', ID, ...why)
    expect((await allow('--event', ID, ...why)).stdout).toBe(`event ${ID} is not banned now\n`)
    await ban('--address', '203.0.113.7', ...why)
    expect((await allow('--address', '203.0.113.7', ...why)).stdout).toContain('is not banned now')
    expect((await allow('--kind', '4', ...why)).stdout).toBe('kind 4 is allowed now\n')
    expect((await allow('--kind', '4', ...why, '--remove')).stdout).toBe('kind 4 is not allowed now\n')
  })

  test('names managers', async () => {
    expect((await allow(formatNpub(ADA), '--admin', ...why)).stdout).toBe(`admin ${ADA} is manager now\n`)
    expect((await allow('--list')).stdout).toMatch(/^manager\t/)
    await allow(ADA, '--admin', '--remove', ...why)
    expect(lists().admins).toEqual({})
  })

  test('prints only the entry when it is to be quiet, and the whole outcome as JSON', async () => {
    expect((await allow('--kind', '4', ...why, '--quiet')).stdout).toBe('4\n')
    expect(JSON.parse((await allow('--kind', '4', ...why, '--json')).stdout)).toEqual({
      ...{ list: 'allowedKinds', entry: '4', listed: true, changed: false },
    })
  })
})

describe('refuses, with exit 2 and nothing changed,', () => {
  test.each<[string, string[]]>([
    ['nothing at all', []],
    ['no reason', [ADA]],
    ['an empty reason', [ADA, '--reason', ' ']],
    ['a reason of two lines', [ADA, '--reason', 'a\nb']],
    ['two things', [ADA, '--kind', '4', ...why]],
    ['what is no key', ['dead', ...why]],
    ['an npub that was mistyped', [`${formatNpub(ADA).slice(0, -1)}x`, ...why]],
    ['what is no kind', ['--kind', '65536', ...why]],
    ['what is no address', ['--address', 'example.org', ...why]],
    ['what is no event', ['--event', 'note1abc', ...why]],
  ])('%s', async (_what, argv) => {
    for (const command of [ban, allow]) {
      const { exit, stderr } = await command(...argv)
      expect([exit, stderr]).toEqual([2, expect.stringMatching(/^grinpay: [^\n]+\n(?:hint: [^\n]+\n)?$/)])
    }
    expect((await ban('--list')).stdout).toBe('')
  })

  test('what only one of the two does', async () => {
    expect((await allow('--kind', '22242', ...why)).exit).toBe(2)
    expect((await allow('--admin', ...why)).exit).toBe(2)
    const { exit, stderr } = await allow('--event', ID, '--remove', ...why)
    expect([exit, stderr]).toEqual([2, expect.stringContaining(`grinpay relay ban --event ${ID}`)])
  })
})

test('a folder that is not there is reported', async () => {
  const { exit, stderr } = await runCommandClass(RelayBan, ['--list', '--db', join(folder, 'elsewhere')])
  expect([exit, stderr]).toEqual([3, expect.stringContaining('the relay never ran')])
})

test.skipIf(process.getuid?.() === 0)(
  'files of another user are reported (not as root, who may everything)',
  async () => {
    chmodSync(folder, 0o500)
    const { exit } = await ban(ADA, ...why)
    chmodSync(folder, 0o700)
    expect(exit).toBe(7)
  },
)
