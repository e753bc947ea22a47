// test/vectors/wallet/slates.json: slates of grin-wallet 5.4.1 both ways, and what its parser says to odd inputs.
import { describe, expect, test } from 'vitest'
import { decodeSlate, encodeSlate, formatSlateJson, parseSlateJson } from '../../../src/grin/slate/index.js'
import { toHex } from '../../../src/lib/bytes.js'
import { bytes, codeOf, vectors } from '../../support/vectors.js'

const { slates, json_input, binary_input } = vectors('wallet/slates.json')

/** Where our RULE is stricter than grin-wallet's verdict. */
const STRICTER: Readonly<Record<string, string>> = {
  'ver 3:2': 'SLATE_VERSION_UNSUPPORTED: only slate version 4 (2.1)',
  'ver 5:9': 'SLATE_VERSION_UNSUPPORTED: only slate version 4 (2.1)',
  'off short (padded with zero bytes at the end)': 'SLATE_INVALID: short or long byte fields (2.2)',
  'off long (cut)': 'SLATE_INVALID: short or long byte fields (2.2)',
  'part long (cut)': 'SLATE_INVALID: short or long byte fields (2.2)',
  'coms c short': 'SLATE_INVALID: short or long byte fields (2.2)',
  'coms p short': 'SLATE_INVALID: proofs of any length but 675 (2.2)',
  'coms p empty': 'SLATE_INVALID: proofs of any length but 675 (2.2)',
  'version 5': 'SLATE_VERSION_UNSUPPORTED: only slate version 4 (2.1)',
}

describe.each<{ name: string; json: unknown; json_text: string; bin: string; json_after_binary_round_trip: unknown }>(
  slates,
)('$name', (slate) => {
  test('the text is read and written back', () => {
    expect(formatSlateJson(parseSlateJson(slate.json_text))).toBe(slate.json_text)
    expect(parseSlateJson(slate.json)).toEqual(parseSlateJson(slate.json_text))
  })

  test('the bytes are those of the text', () => {
    expect(toHex(encodeSlate(parseSlateJson(slate.json_text)))).toBe(slate.bin)
  })

  test('the bytes are read back to the text, less what the form loses', () => {
    const after = slate.json_after_binary_round_trip
    const expected = after === 'same' ? slate.json : after
    expect(JSON.parse(formatSlateJson(decodeSlate(bytes(slate.bin))))).toEqual(expected)
    expect(toHex(encodeSlate(decodeSlate(bytes(slate.bin))))).toBe(slate.bin)
  })
})

describe('odd JSON', () => {
  test.each<{ case: string; text: string; ok: boolean; reads_as?: unknown }>(json_input)('$case', async (input) => {
    const stricter = STRICTER[input.case]
    if (stricter) expect(await codeOf(() => parseSlateJson(input.text))).toBe(stricter.split(':')[0])
    else if (input.ok) expect(JSON.parse(formatSlateJson(parseSlateJson(input.text)))).toEqual(input.reads_as)
    else expect(await codeOf(() => parseSlateJson(input.text))).toBe('SLATE_INVALID')
  })
})

describe('odd bytes', () => {
  test.each<{ case: string; bin: string; ok: boolean; reads_as?: unknown }>(binary_input)('$case', async (input) => {
    const stricter = STRICTER[input.case]
    if (stricter) expect(await codeOf(() => decodeSlate(bytes(input.bin)))).toBe(stricter.split(':')[0])
    else if (input.ok) expect(JSON.parse(formatSlateJson(decodeSlate(bytes(input.bin))))).toEqual(input.reads_as)
    else expect(await codeOf(() => decodeSlate(bytes(input.bin)))).toBe('SLATE_INVALID')
  })
})
