import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Secret } from '../../src/lib/secret.js'
import { applyPlan } from '../../src/wizard/apply.js'
import { planText } from '../../src/wizard/plan-text.js'
import type { Step } from '../../src/wizard/steps.js'

let root: string
const at = (...parts: string[]) => join(root, ...parts)
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'grinpay-apply-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const directory = (path: string): Step => ({ kind: 'directory', path, mode: 0o700 })
const file = (kind: 'create' | 'replace', path: string, text: string): Step => ({
  kind,
  path,
  mode: 0o640,
  about: 'a file',
  content: new Secret(text),
})
const remove = (path: string): Step => ({ kind: 'remove', path, about: 'an old file' })
const apply = (...steps: readonly Step[]) => applyPlan({ steps, untouched: [], needs: [], settings: new Map() })

test('steps are carried out in order, with their modes', async () => {
  writeFileSync(at('old'), 'x')
  await apply(
    directory(at('a', 'b')),
    file('create', at('a', 'b', 'new'), '1'),
    file('replace', at('old2'), '2'),
    remove(at('old')),
  )
  expect(readFileSync(at('a', 'b', 'new'), 'utf8')).toBe('1')
  expect(statSync(at('a', 'b', 'new')).mode & 0o777).toBe(0o640)
  expect(readdirSync(root).sort()).toEqual(['a', 'old2'])
})

test('a failure takes everything back, contents and modes included', async () => {
  writeFileSync(at('settings'), 'before', { mode: 0o600 })
  writeFileSync(at('password'), 'secret', { mode: 0o400 })
  mkdirSync(at('mine'))
  const failing = apply(
    directory(at('new', 'deep')),
    directory(at('mine')),
    file('create', at('new', 'deep', 'seed'), '1'),
    file('replace', at('settings'), 'after'),
    remove(at('password')),
    file('create', at('mine'), 'a folder is in the way'),
  )
  await expect(failing).rejects.toMatchObject({ code: 'SETUP_FAILED', message: expect.stringContaining('rolled back') })
  expect(readdirSync(root).sort()).toEqual(['mine', 'password', 'settings'])
  expect(readFileSync(at('settings'), 'utf8')).toBe('before')
  expect(statSync(at('settings')).mode & 0o777).toBe(0o600)
  expect(readFileSync(at('password'), 'utf8')).toBe('secret')
})

test('a wallet that appeared meanwhile is not overwritten', async () => {
  writeFileSync(at('seed'), 'the money')
  await expect(apply(file('create', at('seed'), 'other'))).rejects.toThrow('nothing was changed')
  expect(readFileSync(at('seed'), 'utf8')).toBe('the money')
})

test('a folder with foreign things in it stays, and that is said', async () => {
  const steps = [directory(at('new')), file('create', at('new', 'a'), '1'), file('create', at('new'), 'in the way')]
  const failing = applyPlan({ steps, untouched: [], needs: [], settings: new Map() })
  await expect(failing).rejects.toThrow(at('new'))
  expect(existsSync(at('new'))).toBe(false)
})

test('the plan names paths and modes, never contents', () => {
  const text = planText({
    steps: [directory('/d'), file('create', '/d/seed', 'hunter2')],
    untouched: ['the rest'],
    needs: ['tor on this machine'],
    settings: new Map(),
  })
  expect(text).toContain('create   /d/seed  0640  a file')
  expect(text).toContain('keep     the rest')
  expect(text).toContain('needs    tor on this machine')
  expect(text).not.toContain('hunter2')
})

test('on a narrow terminal prose of the plan is broken between words, and a command stays whole', () => {
  const about = 'the mark of a wallet without a database; the first start removes it'
  const command = `sudo install -d -m 0700 /srv/${'grinpay/'.repeat(8)}`
  const plan = {
    steps: [{ ...file('create', '/srv/grinpay/data/wallet/no-database-yet', ''), about }],
    untouched: [],
    needs: [`tor on this machine, and its folder\n${command}`],
    settings: new Map(),
  }
  const lines = planText(plan, { width: 60 }).split('\n')
  expect(lines.filter((line) => line.length > 60)).toEqual([`           ${command}`])
  expect(lines.join(' ').replace(/ +/g, ' ')).toContain(about)
})
