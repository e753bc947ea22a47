// The code of docs/webhooks.md in every language whose interpreter is here, against signatures made by the official library, by the
// contract's own vectors and by the till.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Secret } from '../../src/lib/secret.js'
import { paySignature, webhookHeaders } from '../../src/till/webhooks/events.js'
import { snippetsOf } from '../support/doc-snippets.js'
import { ROOT } from '../support/till-process.js'
import { lenientKey, UNSOUND_SECRETS } from '../support/unsound-secrets.js'

/** One question to the code: `standard` with three headers, or `pay` with the signature alone. */
interface Case {
  readonly what: string
  readonly family: 'standard' | 'pay'
  readonly id: string
  readonly timestamp: string
  readonly signature: string
  readonly body: string
  readonly secrets: readonly string[]
  readonly now: number
  readonly genuine: boolean
}

const SHORT = `whsec_${'0123456789abcdef'.repeat(2)}`
const LONG = `whsec_${'0123456789abcdef'.repeat(4)}`
const OLD = `whsec_${'fedcba9876543210'.repeat(4)}`
const PLAIN = 'a secret that somebody chose: pä$s/wörd'
const NOW = Date.UTC(2026, 6, 1, 12) / 1000
const BODY = '{"event_id":"e1","event_type":"payment.confirmed","order_ref":"Bücher № 7"}'
const sentWith = (secrets: readonly string[]) =>
  webhookHeaders(
    { eventId: 'e1', type: 'payment.confirmed', body: BODY },
    { secrets: secrets.map((secret) => new Secret(secret)), compat: false, version: '1' },
    NOW * 1000,
  )

function standard(
  what: string,
  genuine: boolean,
  change: Partial<Case> & { readonly by?: readonly string[] } = {},
): Case {
  const { by = [LONG], ...rest } = change
  const signature = String(sentWith(by)['webhook-signature'])
  const usual = {
    family: 'standard',
    id: 'e1',
    timestamp: String(NOW),
    signature,
    body: BODY,
    secrets: [LONG],
    now: NOW,
  }
  return { ...usual, ...rest, what, genuine } as Case
}
function pay(what: string, genuine: boolean, change: Partial<Case> & { readonly by?: readonly string[] } = {}): Case {
  const signature = String(sentWith(change.by ?? [LONG])['x-pay-signature'])
  return { ...standard(what, genuine, { ...change, signature: change.signature ?? signature }), family: 'pay' }
}

const forged = (key: Buffer): string => `v1,${createHmac('sha256', key).update(`e1.${NOW}.${BODY}`).digest('base64')}`
const RIGHT = String(sentWith([LONG])['webhook-signature'])

const STANDARD: readonly Case[] = [
  standard('right, 64 digits', true),
  standard('right, of the official library', true, {
    signature: new Webhook(LONG).sign('e1', new Date(NOW * 1000), BODY),
  }),
  standard('right, 32 digits', true, { by: [SHORT], secrets: [SHORT] }),
  standard('right, a secret without prefix', true, { by: [PLAIN], secrets: [PLAIN] }),
  standard('five minutes old', true, { now: NOW + 300 }),
  standard('five minutes early', true, { now: NOW - 300 }),
  standard('older', false, { now: NOW + 301 }),
  standard('earlier', false, { now: NOW - 301 }),
  standard('another secret', false, { secrets: [OLD] }),
  standard('no secret', false, { secrets: [] }),
  standard('a changed body', false, { body: BODY.replace('e1', 'e2') }),
  standard('another id', false, { id: 'e2' }),
  standard('another timestamp', false, { timestamp: String(NOW + 1) }),
  standard('rotation: the receiver still has the old secret', true, { by: [LONG, OLD], secrets: [OLD] }),
  standard('rotation: the receiver has the new one', true, { by: [LONG, OLD], secrets: [LONG] }),
  standard('rotation: the receiver has both', true, { by: [OLD], secrets: [LONG, OLD] }),
  standard('two signatures, none of them right', false, { by: [LONG, OLD], secrets: [SHORT] }),
  standard('no id', false, { id: '' }),
  standard('no timestamp', false, { timestamp: '' }),
  standard('a timestamp that is none', false, { timestamp: `${NOW}x` }),
  standard('a timestamp with a line behind it', false, { timestamp: `${NOW}\n` }),
  standard('no signature', false, { signature: '' }),
  standard('another version of signatures', false, { signature: RIGHT.replace('v1,', 'v2,') }),
  standard('a signature that was cut', false, { signature: RIGHT.slice(0, -1) }),
  standard('the prefix alone', false, { signature: 'v1,' }),
  standard('a letter that no signature has', false, { signature: `${RIGHT.slice(0, -1)}ü` }),
  ...UNSOUND_SECRETS.map(([what, secret]) =>
    standard(`a forger's key out of ${what}`, false, { secrets: [secret], signature: forged(lenientKey(secret)) }),
  ),
  standard('no signature, and a secret that is none', false, { secrets: ['whsec_****'], signature: 'v1,' }),
  standard('a good secret beside one that is none', true, { secrets: ['whsec_****************', LONG] }),
]

const vectors = JSON.parse(readFileSync(join(ROOT, 'test/vectors/pay/webhook.json'), 'utf8')) as {
  signatures: { secret: string; body: string; signature_header: string }[]
}
const PAY: readonly Case[] = [
  ...vectors.signatures.map(({ secret, body, signature_header }, i) =>
    pay(`vector ${i}`, true, { secrets: [secret], body, signature: signature_header }),
  ),
  pay('right', true),
  pay('right, a secret without prefix', true, { by: [PLAIN], secrets: [PLAIN] }),
  pay('another secret', false, { secrets: [OLD] }),
  pay('a changed body', false, { body: BODY.replace('e1', 'e2') }),
  pay('rotation: the receiver has both', true, { by: [LONG, OLD], secrets: [OLD, LONG] }),
  pay('rotation: the receiver still has the old secret', false, { by: [LONG, OLD], secrets: [OLD] }),
  pay('no signature', false, { signature: '' }),
  pay('the prefix alone', false, { signature: 'sha256=' }),
  pay('a signature that was cut', false, { signature: String(sentWith([LONG])['x-pay-signature']).slice(0, -1) }),
  pay('a letter that no signature has', false, {
    signature: `${String(sentWith([LONG])['x-pay-signature']).slice(0, -1)}ü`,
  }),
  ...['', 'whsec_', 'whsec_****************', 'whsec_AAAAAAAAAA'].map((secret) =>
    pay(`right, by the secret "${secret}"`, false, {
      secrets: [secret],
      signature: paySignature(new Secret(secret), BODY),
    }),
  ),
]
const CASES = [...STANDARD, ...PAY]

interface Language {
  readonly file: string
  /** Asks whether it is here. */
  readonly probe: readonly [string, ...string[]]
  /** Reads CASES as JSON from stdin, prints a JSON list of booleans. */
  readonly driver: readonly [name: string, code: string]
  readonly command: readonly [string, ...string[]]
}

const LANGUAGES: Readonly<Record<string, Language>> = {
  Node: {
    file: 'verify.mjs',
    probe: [process.execPath, '--version'],
    driver: [
      'drive.mjs',
      `import { readFileSync } from 'node:fs'
import { pay, standard } from './verify.mjs'
const answers = JSON.parse(readFileSync(0, 'utf8')).map((c) =>
  c.family === 'pay' ? pay(c.signature, Buffer.from(c.body), c.secrets) : standard(c, Buffer.from(c.body), c.secrets, c.now))
console.log(JSON.stringify(answers))`,
    ],
    command: [process.execPath, 'drive.mjs'],
  },
  Python: {
    file: 'verify.py',
    probe: ['python3', '--version'],
    driver: [
      'drive.py',
      `import json, sys, verify
def ask(c):
    body = c["body"].encode()
    if c["family"] == "pay": return verify.pay(c["signature"], body, c["secrets"])
    return verify.standard(c["id"], c["timestamp"], c["signature"], body, c["secrets"], c["now"])
print(json.dumps([ask(c) for c in json.load(sys.stdin)]))`,
    ],
    command: ['python3', 'drive.py'],
  },
  PHP: {
    file: 'verify.php',
    probe: ['php', '--version'],
    driver: [
      'drive.php',
      `<?php require 'verify.php';
echo json_encode(array_map(fn($c) => $c['family'] === 'pay'
  ? pay($c['signature'], $c['body'], $c['secrets'])
  : standard($c['id'], $c['timestamp'], $c['signature'], $c['body'], $c['secrets'], $c['now']),
  json_decode(file_get_contents('php://stdin'), true)));`,
    ],
    command: ['php', 'drive.php'],
  },
  Ruby: {
    file: 'verify.rb',
    probe: ['ruby', '--version'],
    driver: [
      'drive.rb',
      `require 'json'
require_relative 'verify'
puts JSON.generate(JSON.parse($stdin.read).map { |c|
  next pay(c['signature'], c['body'], c['secrets']) if c['family'] == 'pay'
  standard(c['id'], c['timestamp'], c['signature'], c['body'], c['secrets'], c['now']) })`,
    ],
    command: ['ruby', 'drive.rb'],
  },
  Go: {
    file: 'verify.go',
    probe: ['go', 'version'],
    driver: [
      'drive.go',
      `package main
import ("encoding/json"; "fmt"; "os")
func main() {
	var cases []struct { Family, Id, Timestamp, Signature, Body string; Secrets []string; Now int64 }
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil { panic(err) }
	answers := []bool{}
	for _, c := range cases {
		if c.Family == "pay" { answers = append(answers, pay(c.Signature, []byte(c.Body), c.Secrets)); continue }
		answers = append(answers, standard(c.Id, c.Timestamp, c.Signature, []byte(c.Body), c.Secrets, c.Now))
	}
	text, _ := json.Marshal(answers)
	fmt.Println(string(text))
}`,
    ],
    command: ['go', 'run', 'verify.go', 'drive.go'],
  },
}

const isHere = ([program, ...args]: Language['probe']): boolean => spawnSync(program, args).status === 0
const snippets = snippetsOf('webhooks.md')

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'grinpay-webhook-code-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the page has a piece of code for each of these languages', () => {
  expect([...snippets.keys()]).toEqual(Object.values(LANGUAGES).map(({ file }) => file))
})

const languages = Object.entries(LANGUAGES).map(([name, language]) => {
  const missing = !isHere(language.probe)
  return { ...language, missing, name: missing ? `${name} (skipped: ${language.probe[0]} is not installed)` : name }
})

describe.each(languages)('$name', ({ file, missing, driver, command }) => {
  test.skipIf(missing)('takes what is genuine and nothing else', () => {
    writeFileSync(join(folder, file), snippets.get(file) ?? '')
    writeFileSync(join(folder, driver[0]), driver[1])
    const [program, ...args] = command
    const env = { ...process.env, GO111MODULE: 'off', GOCACHE: join(folder, 'go-cache'), GOFLAGS: '' }
    const printed = execFileSync(program, args, { cwd: folder, input: JSON.stringify(CASES), env, encoding: 'utf8' })
    const answers = JSON.parse(printed) as boolean[]
    expect(CASES.map(({ family, what }, i) => `${family}, ${what}: ${answers[i]}`)).toEqual(
      CASES.map(({ family, what, genuine }) => `${family}, ${what}: ${genuine}`),
    )
  })
})
