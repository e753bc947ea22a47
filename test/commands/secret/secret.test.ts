import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import SecretNew from '../../../src/commands/secret/new.js'
import SecretRotate from '../../../src/commands/secret/rotate.js'
import { loadPayConfig, openEnvironment } from '../../../src/config/index.js'
import { runCommandClass } from '../../support/run-command.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'grinpay-secret-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const at = (...parts: readonly string[]): string => join(folder, ...parts)
const modeOf = (path: string): number => statSync(path).mode & 0o777
const sha256 = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`

describe('secret new', () => {
  test.each([
    ['api', /^pay_live_[0-9a-f]{64}\n$/],
    ['admin', /^pay_admin_[0-9a-f]{64}\n$/],
    ['webhook', /^whsec_[0-9a-f]{64}\n$/],
  ])('%s is printed, each time another one', async (kind, shape) => {
    const [first, second] = [await runCommandClass(SecretNew, [kind]), await runCommandClass(SecretNew, [kind])]
    expect(first.stdout).toMatch(shape)
    expect(second.stdout).toMatch(shape)
    expect(first.stdout).not.toBe(second.stdout)
  })

  test('with --out only its owner reads it, and it is not printed', async () => {
    const { stdout, stderr } = await runCommandClass(SecretNew, ['api', '--out', at('token')])
    const token = readFileSync(at('token'), 'utf8').trim()
    expect(stdout).toBe(`${at('token')}\n`)
    expect(stderr).not.toContain(token)
    expect(stderr).toContain(sha256(token))
    expect(modeOf(at('token'))).toBe(0o600)
  })

  test('never writes over a file', async () => {
    writeFileSync(at('token'), 'kept')
    const { exit, stderr } = await runCommandClass(SecretNew, ['api', '--out', at('token')])
    expect({ exit, kept: readFileSync(at('token'), 'utf8') }).toEqual({ exit: 2, kept: 'kept' })
    expect(stderr).toContain('it exists; nothing was changed')
  })

  test('another kind is a usage error', async () => {
    expect((await runCommandClass(SecretNew, ['seed'])).exit).toBe(2)
  })
})

/** A till set up with its secrets in the env file, as setup does it. */
function tillWith(lines: readonly string[]): string {
  mkdirSync(at('data'))
  const text = ['# a remark', 'PAY_BIND=127.0.0.1:8080', `PAY_DATA_DIR=${at('data')}`, ...lines, '# the end', '']
  writeFileSync(at('pay.env'), text.join('\n'), { mode: 0o640 })
  chmodSync(at('pay.env'), 0o640)
  return at('pay.env')
}

const rotate = (...argv: readonly string[]) => runCommandClass(SecretRotate, [...argv, '--settings', at('pay.env')])
const config = () =>
  loadPayConfig(openEnvironment({ envFile: at('pay.env'), variables: { PAY_BUNDLED_RELAY_BIND: 'off' } }))

const OLD_HOOK = `whsec_${'0b'.repeat(16)}`

describe('secret rotate', () => {
  test('moves a token out of the env file, and leaves every other byte of it', async () => {
    tillWith(['PAY_API_TOKEN=pay_live_old', 'PAY_WEBHOOK_SECRET=a-secret-of-webhooks'])
    const before = readFileSync(at('pay.env'), 'utf8')
    const { stdout, stderr, exit } = await rotate('api')
    const file = at('data', 'secrets', 'api_token')
    expect(exit).toBe(0)
    expect(readFileSync(at('pay.env'), 'utf8')).toBe(
      before.replace('PAY_API_TOKEN=pay_live_old', `PAY_API_TOKEN_FILE=${file}`),
    )
    expect([modeOf(at('pay.env')), modeOf(file), modeOf(at('data', 'secrets'))]).toEqual([0o640, 0o600, 0o700])
    expect(stderr).toContain('systemctl restart grinpay-pay')
    const [fresh, old] = config().rotating.apiTokens
    expect(`${fresh?.secret.reveal()}\n`).toBe(stdout)
    expect(old?.secret.reveal()).toBe(sha256('pay_live_old'))
    expect((old?.until ?? 0) - Date.now()).toBeGreaterThan(86_300_000)
    expect(readFileSync(file, 'utf8')).not.toContain('pay_live_old')
    expect(readdirSync(at('data', 'secrets'))).toEqual(['api_token'])
  })

  test('in a file of its own nothing else changes, not even its mode', async () => {
    writeFileSync(at('token'), 'pay_admin_old\n')
    chmodSync(at('token'), 0o440)
    tillWith([`PAY_ADMIN_TOKEN_FILE=${at('token')}`])
    const before = readFileSync(at('pay.env'), 'utf8')
    const { stdout, stderr } = await rotate('admin', '--overlap', '1h', '--json')
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'admin', kept_in: at('token'), restart_needed: false })
    expect(stderr).toBe('')
    expect(readFileSync(at('pay.env'), 'utf8')).toBe(before)
    expect(modeOf(at('token'))).toBe(0o440)
    expect(config().adminToken?.reveal()).toBe(JSON.parse(stdout).secret)
  })

  test.each([
    'LoadCredential=pay.env:',
    'EnvironmentFile=', // as units of earlier versions
  ])('one that systemd hands over beside %s needs a restart, and the command for it is printed', async (settings) => {
    writeFileSync(at('token'), 'pay_live_old\n')
    tillWith([`PAY_API_TOKEN_FILE=${at('token')}`])
    mkdirSync(at('systemd', 'grinpay-pay.service.d'), { recursive: true })
    const handed = `LoadCredential=pay_api_token:${at('token')}\n`
    const unit = `[Service]\n${settings}${at('pay.env')}\n`
    writeFileSync(at('systemd', 'grinpay-pay.service'), unit)
    expect((await rotate('api')).stderr).toContain('a running till takes it up within seconds')
    writeFileSync(at('systemd', 'grinpay-pay.service'), unit + handed)
    const { stderr } = await rotate('api')
    expect(stderr).toContain('takes the old one alone')
    expect(stderr).toContain('Now: systemctl restart grinpay-pay\n')
    expect(stderr).not.toContain('within seconds')
    writeFileSync(at('systemd', 'grinpay-pay.service'), unit)
    writeFileSync(at('systemd', 'grinpay-pay.service.d', 'mine.conf'), `[Service]\n${handed}`)
    expect(JSON.parse((await rotate('api', '--json')).stdout)).toMatchObject({ restart_needed: true })
    // The unit of another till says nothing about this one.
    writeFileSync(at('systemd', 'grinpay-pay.service'), `[Service]\n${settings}/other.env\n`)
    expect(JSON.parse((await rotate('api', '--json')).stdout)).toMatchObject({ restart_needed: false })
  })

  test('one that systemd-creds has sealed is not written over', async () => {
    writeFileSync(at('token.cred'), 'V2hpY2hldmVyLi4u\n')
    tillWith([`PAY_API_TOKEN_FILE=${at('token.cred')}`])
    const { exit, stderr } = await rotate('api')
    expect({ exit, kept: readFileSync(at('token.cred'), 'utf8') }).toEqual({ exit: 6, kept: 'V2hpY2hldmVyLi4u\n' })
    expect(stderr).toContain('which systemd-creds has sealed, which this command cannot change; nothing was changed')
  })

  test('of the webhook secret both are kept: the till signs with both', async () => {
    tillWith([`PAY_WEBHOOK_SECRET=${OLD_HOOK}`, 'PAY_WEBHOOK_URL=http://127.0.0.1:9/'])
    await rotate('webhook', '--overlap', '7d')
    const texts = config().rotating.webhookSecrets.map(({ secret }) => secret.reveal())
    expect(texts).toEqual([expect.stringMatching(/^whsec_[0-9a-f]{64}$/), OLD_HOOK])
  })

  test('a webhook secret that is no key ends at once, whatever the overlap: it signs nothing', async () => {
    tillWith(['PAY_WEBHOOK_SECRET=whsec_****************', 'PAY_WEBHOOK_URL=http://127.0.0.1:9/'])
    expect(() => config()).toThrow('PAY_WEBHOOK_SECRET is not standard base64')
    const { stderr, stdout } = await rotate('webhook', '--overlap', '7d')
    expect(stderr).toContain('the old one is refused from now on')
    expect(config().rotating.webhookSecrets.map(({ secret }) => `${secret.reveal()}\n`)).toEqual([stdout])
  })

  test('--receiver replaces the secret of that receiver and no other', async () => {
    tillWith([
      'PAY_WEBHOOK_URL=http://127.0.0.1:9/',
      'PAY_WEBHOOK_SECRET=the-secret-of-the-first',
      'PAY_WEBHOOK_3_URL=http://127.0.0.1:9/',
      'PAY_WEBHOOK_3_SECRET=the-secret-of-the-third',
    ])
    const { stdout } = await rotate('webhook', '--receiver', '3', '--overlap', '7d', '--json')
    const file = at('data', 'secrets', 'webhook_3_secret')
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'webhook', receiver: 3, kept_in: file })
    expect(readFileSync(at('pay.env'), 'utf8')).toContain(`PAY_WEBHOOK_3_SECRET_FILE=${file}\n`)
    const { webhookSecrets, receiverSecrets } = config().rotating
    expect(webhookSecrets.map(({ secret }) => secret.reveal())).toEqual(['the-secret-of-the-first'])
    expect(receiverSecrets.get(3)?.map(({ secret }) => secret.reveal())).toEqual([
      JSON.parse(stdout).secret,
      'the-secret-of-the-third',
    ])
    expect(JSON.parse((await rotate('webhook', '--json')).stdout)).toMatchObject({
      receiver: 1,
      kept_in: at('data', 'secrets', 'webhook_secret'),
    })
  })

  test('twice: the second does not end the overlap of the first', async () => {
    tillWith(['PAY_API_TOKEN=one-of-the-tokens'])
    await rotate('api', '--overlap', '2d')
    const [, one] = config().rotating.apiTokens
    await rotate('api', '--overlap', '1h')
    const tokens = config().rotating.apiTokens
    expect(tokens).toHaveLength(3)
    expect(tokens[2]).toEqual(one)
  })

  test('--overlap 0 leaves the new one alone', async () => {
    tillWith(['PAY_API_TOKEN=one-of-the-tokens'])
    await rotate('api', '--overlap', '2d')
    const { stderr, stdout } = await rotate('api', '--overlap', '0')
    expect(config().rotating.apiTokens.map(({ secret }) => `${secret.reveal()}\n`)).toEqual([stdout])
    expect(stderr).toContain('refused from now on')
  })

  test('--hash keeps only a digest, --out names the file of the secret', async () => {
    tillWith(['PAY_API_TOKEN=one-of-the-tokens'])
    const { stdout } = await rotate('api', '--hash', '--out', at('for-the-shop'))
    const token = readFileSync(at('for-the-shop'), 'utf8').trim()
    expect(stdout).toBe(`${at('for-the-shop')}\n`)
    expect(modeOf(at('for-the-shop'))).toBe(0o600)
    expect(config().rotating.apiTokens[0]?.secret.reveal()).toBe(sha256(token))
    expect(config().apiToken).toBeUndefined()
  })

  test('the names of the originals are replaced by ours', async () => {
    tillWith(['GP_API_TOKEN=gp_live_old'])
    await rotate('api')
    expect(readFileSync(at('pay.env'), 'utf8')).not.toContain('GP_API_TOKEN')
    expect(config().rotating.apiTokens).toHaveLength(2)
  })

  test.each([
    ['nothing to rotate', ['PAY_API_TOKEN='], ['api'], 3],
    ['is for tokens', ['PAY_WEBHOOK_SECRET=a-secret-of-webhooks'], ['webhook', '--hash'], 2],
    ['PAY_WEBHOOK_2_SECRET is not set', ['PAY_WEBHOOK_SECRET=a-secret-of-webhooks'], ['webhook', '--receiver', '2'], 3],
    ['--receiver is for webhooks', ['PAY_API_TOKEN=x'], ['api', '--receiver', '2'], 2],
    ['not a duration: "soon"', ['PAY_API_TOKEN=x'], ['api', '--overlap', 'soon'], 2],
    ['at most 90d', ['PAY_API_TOKEN=x'], ['api', '--overlap', '91d'], 2],
    ['it exists', ['PAY_API_TOKEN=x'], ['api', '--out', '/etc/hostname'], 2],
  ])('%s: nothing is changed', async (text, lines, argv, code) => {
    tillWith(lines)
    const before = readFileSync(at('pay.env'), 'utf8')
    const { exit, stderr } = await rotate(...argv)
    expect(exit).toBe(code)
    expect(stderr).toContain(text)
    expect(readFileSync(at('pay.env'), 'utf8')).toBe(before)
    expect(existsSync(at('data', 'secrets', 'api_token'))).toBe(false)
  })

  test('a folder that is not there changes nothing and leaves no file for the shop', async () => {
    tillWith(['PAY_API_TOKEN=one-of-the-tokens'])
    rmSync(at('data'), { recursive: true })
    const { exit, stderr } = await rotate('api', '--out', at('shop'))
    expect(exit).toBe(1)
    expect(stderr).toContain('the old secret stays in force')
    expect(existsSync(at('shop'))).toBe(false)
    expect(config().apiToken?.reveal()).toBe('one-of-the-tokens')
  })
})
