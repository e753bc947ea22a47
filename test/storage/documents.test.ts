import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { documentDamaged } from '../../src/storage/errors.js'
import { openDocument, type ReplaceFile } from '../../src/storage/index.js'
import { replaceFile } from '../../src/system/index.js'
import { temporaryFolder } from '../support/temporary-store.js'

const schema = z.strictObject({ tills: z.array(z.string()) })
let folder: string
let path: string

beforeEach(() => {
  const place = temporaryFolder()
  folder = place.folder
  path = join(folder, 'instance.json')
  onTestFinished(place.remove)
})

const open = (replace: ReplaceFile = replaceFile) => openDocument({ path, schema, initial: { tills: [] }, replace })

test('a missing file is the initial document, and reading makes none', async () => {
  const document = await open()
  expect(document.read()).toEqual({ tills: [] })
  expect(readdirSync(folder)).toEqual([])
})

test('a change is in a private, readable file, and drafts are gone', async () => {
  const document = await open()
  await document.update(({ tills }) => ({ tills: [...tills, 'shop'] }))
  expect(readFileSync(path, 'utf8')).toBe('{\n  "tills": [\n    "shop"\n  ]\n}\n')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['instance.json'])
  expect((await open()).read()).toEqual({ tills: ['shop'] })
})

test('changes at the same time all count', async () => {
  const document = await open()
  const names = Array.from({ length: 20 }, (_, i) => `till-${i}`)
  await Promise.all(names.map((name) => document.update(({ tills }) => ({ tills: [...tills, name] }))))
  expect((await open()).read()).toEqual({ tills: names })
})

test.each([
  ['half a file', '{"tills": ["sh'],
  ['nothing at all', ''],
  ['another document', '{"tills": "shop"}'],
  ['unknown members', '{"tills": [], "more": 1}'],
])('%s is refused by name', async (_what, content) => {
  writeFileSync(path, content)
  const opening = open()
  await expect(opening).rejects.toSatisfy(documentDamaged.is)
  await expect(opening).rejects.toThrow(path)
})

test('a change that breaks the rules is refused and not written', async () => {
  const document = await open()
  await document.update(() => ({ tills: ['shop'] }))
  const broken = document.update(() => JSON.parse('{"tills": [1]}'))
  await expect(broken).rejects.toSatisfy(documentDamaged.is)
  expect(document.read()).toEqual({ tills: ['shop'] })
  expect((await open()).read()).toEqual({ tills: ['shop'] })
})

test('after a failed write the old document stands and the next change works', async () => {
  let full = true
  const document = await open(async (...file) => {
    if (full) throw new Error('no space left')
    await replaceFile(...file)
  })
  await expect(document.update(() => ({ tills: ['lost'] }))).rejects.toThrow('no space left')
  expect(document.read()).toEqual({ tills: [] })
  full = false
  await document.update(({ tills }) => ({ tills: [...tills, 'kept'] }))
  expect((await open()).read()).toEqual({ tills: ['kept'] })
})
