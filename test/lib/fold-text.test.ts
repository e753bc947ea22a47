import { expect, test } from 'vitest'
import { foldText } from '../../src/lib/fold-text.js'

test.each([
  ['STRASSE', 'Straße'],
  ['STRAẞE', 'straße'],
  ['ПРИВЕТ', 'привет'],
  ['ЙОД', 'йод'.normalize('NFD')],
  ['Caf\u00c9', 'cafe\u0301'],
  ['ΟΔΟΣ', 'οδος'],
  ['οδός', 'ΟΔΌΣ'],
  ['ﬁat', 'FIAT'],
  ['ＡＢＣ', 'abc'],
])('%s and %s are one text', (one, other) => expect(foldText(one)).toBe(foldText(other)))

test('accents stay', () => expect(foldText('café')).not.toBe(foldText('cafe')))
