// Slates: both forms written and read, and the verdict on altered ones.
import { fromHex, toHex } from '../../../../src/lib/bytes.js'
import { type Dice, damaged } from '../dice.js'
import { attempt, type Family } from '../family.js'
import { randomSlate } from './random-slate.js'

export const slatesFamily: Family = {
  name: 'slates',
  weight: 9,
  async run({ dice, library, ask, same }) {
    const { decodeSlate, encodeSlate, formatSlateJson, parseSlateJson } = library.slate
    const slate = randomSlate(dice, library)
    const [json, binary] = [formatSlateJson(slate), toHex(encodeSlate(slate))]
    const [fromJson, fromBinary] = await Promise.all([ask('read-slate', { json }), ask('read-slate', { binary })])
    same('JSON read by the Rust crates', { ok: { json, binary } }, fromJson)
    same('binary read by the Rust crates', { ok: { json, binary } }, fromBinary)
    same('JSON read back', toHex(encodeSlate(parseSlateJson(json))), binary)
    same('binary read back', formatSlateJson(decodeSlate(fromHex(binary))), json)
  },
}

export const damagedBinaryFamily: Family = {
  name: 'damaged binary slates',
  weight: 9,
  async run({ dice, library, ask, agree }) {
    const { decodeSlate, encodeSlate, formatSlateJson } = library.slate
    const good = encodeSlate(randomSlate(dice, library))
    // half of the damage goes where the fields are, not into range proofs
    const head = good.subarray(0, Math.min(good.length, 260))
    const bytes = dice.chance(0.5)
      ? damaged(dice, good)
      : new Uint8Array([...damaged(dice, head), ...good.subarray(head.length)])
    const binary = toHex(bytes)
    const theirs = ask('read-slate', { binary })
    const ours = await attempt(() => {
      const slate = decodeSlate(bytes)
      return { json: formatSlateJson(slate), binary: toHex(encodeSlate(slate)) }
    })
    agree(binary, ours, await theirs)
  },
}

export const alteredJsonFamily: Family = {
  name: 'altered JSON slates',
  weight: 10,
  async run({ dice, library, ask, agree }) {
    const { encodeSlate, formatSlateJson, parseSlateJson } = library.slate
    const json = alteredJson(dice, formatSlateJson(randomSlate(dice, library)))
    const theirs = ask('read-slate', { json })
    const ours = await attempt(() => {
      const slate = parseSlateJson(json)
      return { json: formatSlateJson(slate), binary: toHex(encodeSlate(slate)) }
    })
    agree(json, ours, await theirs)
  },
}

type Node = Record<string, unknown>

/** Values that a member of any kind may be replaced by, as JSON text. */
const STRANGE = [
  'null',
  'true',
  '0',
  '1',
  '5',
  '255',
  '256',
  '-1',
  '1.0',
  '1.5',
  '1e2',
  '""',
  '"0"',
  '"5"',
  '"+5"',
  '"0005"',
  '" 5"',
  '"5 "',
  '"-1"',
  '18446744073709551615',
  '18446744073709551616',
  '"18446744073709551615"',
  '"18446744073709551616"',
  '[]',
  '{}',
  '[null]',
  '"abc"',
  '"0x05"',
]

/** One change to the text or to one member anywhere in it. */
export function alteredJson(dice: Dice, json: string): string {
  if (dice.chance(0.15)) return damagedText(dice, json)
  const root: Node = JSON.parse(json)
  const places = placesIn(root)
  const { holder, name } = dice.pick(places)
  const mark = '@@'
  switch (dice.below(6)) {
    case 0:
      delete holder[name]
      return JSON.stringify(root)
    case 1:
      holder[dice.pick(['zzz', '__proto__x', 'fee', 'ttl', 'num_parts', 'feat', 'p', 'part', 'f'])] ??= dice.pick([
        null,
        1,
        '1',
        'x',
      ])
      return JSON.stringify(root)
    case 2:
    case 3:
      if (typeof holder[name] === 'string') {
        holder[name] = otherSpelling(dice, holder[name])
        return JSON.stringify(root)
      }
  }
  holder[name] = mark
  return JSON.stringify(root).replace(`"${mark}"`, dice.pick(STRANGE))
}

function placesIn(value: unknown): { holder: Node; name: string }[] {
  if (typeof value !== 'object' || value === null) return []
  const holder = value as Node
  return Object.keys(holder).flatMap((name) => [{ holder, name }, ...placesIn(holder[name])])
}

function otherSpelling(dice: Dice, text: string): string {
  const at = dice.below(text.length + 1)
  const edits = [
    text.toUpperCase(),
    `0x${text}`,
    text.replaceAll('-', ''),
    `urn:uuid:${text}`,
    `{${text}}`,
    text.slice(0, at),
    text + text.slice(0, at),
    text.slice(0, at) + dice.pick(['0', 'f', 'g', '-', ' ', ':']) + text.slice(at),
    text.slice(0, at) + dice.pick(['0', 'f', '7', 'x']) + text.slice(at + 1),
    '0'.repeat(text.length),
    'f'.repeat(text.length),
  ]
  return dice.pick(edits)
}

function damagedText(dice: Dice, json: string): string {
  const at = dice.below(json.length)
  const letter = dice.pick(['"', ',', '{', '}', '[', ']', ':', ' ', '0', '\\', 'é', '\u0001'])
  return dice.pick([
    json.slice(0, at),
    json.slice(0, at) + letter + json.slice(at),
    json.slice(0, at) + json.slice(at + 1),
    ` ${json}\n`,
    `${json}x`,
  ])
}
