import { expect, test } from 'vitest'
import { wholeId } from '../../src/client/index.js'

const ids = (heads: readonly string[], length = 32) => heads.map((head) => head.padEnd(length, '0'))
const among = (known: readonly string[]) => async (prefix: string) => known.filter((id) => id.startsWith(prefix))
const never = async () => {
  throw new Error('not to be asked')
}

test('six characters or more stand for the id that begins with them', async () => {
  const known = ids(['9b1d6a3', '9b1d6b'])
  expect(await wholeId('invoice', '9b1d6a', among(known))).toBe(known[0])
  expect(await wholeId('invoice', '9B1D6B', among(known))).toBe(known[1])
  const [payment = ''] = ids(['0436430c-2b02-6'], 36)
  expect(await wholeId('payment', '0436430c-2b', among([payment]))).toBe(payment)
})

test.each([
  ['invoice', 'a'.repeat(32)],
  ['payment', '0436430c-2b02-624c-2032-570501212b00'],
  ['offer', 'a'.repeat(64)],
  ['invoice', '9b1d6'],
  ['event', 'evt_5f3c0d'],
  ['invoice', '../../admin'],
  ['invoice', ''],
] as const)('%s %s is not searched for', async (kind, typed) => {
  expect(await wholeId(kind, typed, never)).toBe(typed)
})

test('what begins no id stays as it was typed, for the usual "not found"', async () => {
  expect(await wholeId('event', 'ABCDEF', among(ids(['0'])))).toBe('ABCDEF')
})

test('an id that begins others is that id', async () => {
  expect(await wholeId('grant', 'abcdef', among(['abcdef', 'abcdef1']))).toBe('abcdef')
})

test('what begins several is refused with up to five of them', async () => {
  const [two, seven] = [ids(['9b1d6a1', '9b1d6a2']), ids([...'1234567'].map((digit) => `9b1d6a${digit}`))]
  await expect(wholeId('invoice', '9b1d6a', among(two))).rejects.toMatchObject({
    code: 'ID_AMBIGUOUS',
    status: 400,
    message: `"9b1d6a" matches several ids (invoice): ${two.join(', ')}`,
    hint: 'type more of the id',
  })
  await expect(wholeId('invoice', '9b1d6a', among(seven))).rejects.toMatchObject({
    message: `"9b1d6a" matches several ids (invoice): ${seven.slice(0, 5).join(', ')}, …`,
  })
})
