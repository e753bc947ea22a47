// Every example of the folder `examples`, run with the packages as npm would publish them, in a project of their own.
import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { installPackages } from '../support/installed-packages.js'
import type { ScratchProject } from '../support/packed-packages.js'

let project: ScratchProject
beforeAll(async () => {
  project = await installPackages(['grin'])
  cpSync('examples/grin', join(project.folder, 'examples/grin'), { recursive: true })
}, 300_000)
afterAll(() => project?.remove())

const linesOf = async (example: string): Promise<string[]> =>
  (await project.runProgram(join(project.folder, 'examples', example))).trimEnd().split('\n')

const EXPECTED: Readonly<Record<string, readonly (string | RegExp)[]>> = {
  'grin/first.mjs': [/^pay to tgrin1[a-z0-9]{58}$/, 'paid 1.5 GRIN, 2 outputs'],
  'grin/send.mjs': ['sending  1.5 GRIN, fee 0.023, change 58.477', 'BEGINSLATEPACK.', 'sent     1.5 GRIN in block 2'],
  'grin/receive.mjs': [
    /^address {2}tgrin1[a-z0-9]{58}$/,
    'refused  S1_WRONG_AMOUNT',
    'answered 1.5 GRIN',
    'received 1.5 GRIN, 1 confirmation(s)',
  ],
  'grin/invoice.mjs': ['asked    1.5 GRIN', 'paid     1.5 GRIN in block 2'],
  'grin/restore.mjs': [
    'words    valid',
    'found    m/0/0/0 2.5 GRIN, block 2',
    'found    m/0/0/1 2.5 GRIN, block 4',
    'found    m/3/0/8 0.25 GRIN, block 7',
    'restored 5.25 GRIN',
  ],
  'grin/wallet.mjs': [
    'restored 2 outputs, 65 GRIN to spend',
    'sent     1.5 GRIN, fee 0.023 GRIN',
    'proven   1 confirmation(s), paid to us: true',
    'payee    received confirmed 1.5 GRIN',
    'payee    received confirmed 0.25 GRIN',
    'payer    received confirmed 60 GRIN',
    'payer    received confirmed 5 GRIN',
    'payer    sent confirmed 1.5 GRIN honey',
    'payer    sent confirmed 0.25 GRIN',
    'payer    sent cancelled 1 GRIN',
  ],
  'grin/proof.mjs': [
    '{',
    '  "amount": "1500000000",',
    /^ {2}"excess": "0[89][0-9a-f]{64}",$/,
    /^ {2}"recipient_address": "tgrin1[a-z0-9]{58}",$/,
    /^ {2}"recipient_sig": "[0-9a-f]{128}",$/,
    /^ {2}"sender_address": "tgrin1[a-z0-9]{58}",$/,
    /^ {2}"sender_sig": "[0-9a-f]{128}"$/,
    '}',
    /^proven {3}1\.5 GRIN to tgrin1[a-z0-9]{58}, block 2$/,
    'refused  PROOF_RECIPIENT_SIGNATURE',
  ],
}

test.each(Object.entries(EXPECTED))('%s', async (example, expected) => {
  const lines = await linesOf(example)
  expect(lines).toEqual(expected.map((line) => (typeof line === 'string' ? line : expect.stringMatching(line))))
})

test('every example of @grinpay/grin is run', () => {
  const parts = ['chain.mjs']
  const all = readdirSync('examples/grin').filter((name) => name.endsWith('.mjs') && !parts.includes(name))
  expect(all.map((name) => `grin/${name}`).sort()).toEqual(Object.keys(EXPECTED).sort())
})
