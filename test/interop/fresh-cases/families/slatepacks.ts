// Slatepacks: written by one side and read by the other, plain and encrypted, and the verdict on damaged ones.
import { fromHex, toHex } from '../../../../src/lib/bytes.js'
import { type Dice, damaged } from '../dice.js'
import { attempt, type Family, type Round } from '../family.js'
import type { Library } from '../library.js'
import { okOf } from '../reference.js'
import { randomSlate } from './random-slate.js'
import { alteredJson } from './slates.js'

interface Packed {
  readonly armor: string
  readonly binary: string
  readonly json: string
}

const PREFIX = 'grin'
/** grin's own limit of armor on the main network. */
const LIMIT = 1_279_262

interface Party {
  readonly seed: Uint8Array
  readonly key: Uint8Array
  readonly address: string
}

function party(dice: Dice, { slatepack }: Library): Party {
  const seed = dice.secret()
  const key = slatepack.addressOfSeed(seed)
  return { seed, key, address: slatepack.formatAddress(PREFIX, key) }
}

/** What is compared of an opened slatepack. */
async function openOurs({ library }: Round, text: string, seeds: readonly Uint8Array[]) {
  const { formatAddress, readSlatepack } = library.slatepack
  const opened = await readSlatepack(text, { prefix: PREFIX, decryptWith: seeds, limit: LIMIT })
  return {
    json: library.slate.formatSlateJson(opened.slate),
    binary: toHex(library.slate.encodeSlate(opened.slate)),
    encrypted: opened.encrypted,
    sender: opened.sender ? formatAddress(PREFIX, opened.sender) : null,
    recipients: opened.recipients.map((one) => formatAddress(PREFIX, one)),
    payload: toHex(opened.bytes),
  }
}

export const plainSlatepacksFamily: Family = {
  name: 'plain slatepacks',
  weight: 6,
  async run(round) {
    const { dice, library, ask, same } = round
    const { armorSlate, dearmor, encodeEnvelope, formatEnvelopeJson } = library.slatepack
    const slate = randomSlate(dice, library)
    const sender = dice.chance(0.7) ? party(dice, library) : undefined
    const bytes = library.slate.encodeSlate(slate)
    const packed = await ask('pack', { slate: toHex(bytes), to: [], ...(sender && { sender: sender.address }) })
    const envelope = { mode: 'plain' as const, payload: bytes, ...(sender && { sender: sender.key }) }
    const ours = {
      armor: armorSlate(slate, { prefix: PREFIX, ...(sender && { sender: sender.key }) }),
      binary: toHex(encodeEnvelope(envelope, PREFIX)),
      json: formatEnvelopeJson(envelope, PREFIX),
    }
    same('written', { ok: ours }, packed)
    same(
      'armor taken off',
      { ok: { binary: toHex(dearmor(ours.armor, LIMIT)) } },
      await ask('dearmor', { text: ours.armor }),
    )
    for (const text of [ours.armor, ours.json])
      same('read', { ok: await openOurs(round, text, []) }, await ask('open', { text }))
  },
}

export const encryptedSlatepacksFamily: Family = {
  name: 'encrypted slatepacks',
  weight: 6,
  async run(round) {
    const { dice, library, ask, same, agree } = round
    const slate = randomSlate(dice, library)
    const sender = dice.chance(0.7) ? party(dice, library) : undefined
    const readers = dice.many(dice.upTo(3), () => party(dice, library))
    const reader = dice.pick(readers)
    const bytes = library.slate.encodeSlate(slate)
    const theirs = okOf<Packed>(
      await ask('pack', {
        slate: toHex(bytes),
        to: readers.map(({ address }) => address),
        ...(sender && { sender: sender.address }),
      }),
    )
    const ours = await library.slatepack.armorSlateTo(
      readers.map(({ key }) => key),
      slate,
      { prefix: PREFIX, random: dice.bytes, ...(sender && { sender: sender.key }) },
    )
    for (const text of [theirs.armor, ours]) {
      const read = ask('open', { text, seed: toHex(reader.seed) })
      const stranger = party(dice, library)
      const refused = ask('open', { text, seed: toHex(stranger.seed) })
      same('decrypted', { ok: await openOurs(round, text, [stranger.seed, reader.seed]) }, await read)
      agree('not for a stranger', await attempt(() => openOurs(round, text, [stranger.seed])), await refused)
    }
  },
}

export const damagedArmorFamily: Family = {
  name: 'damaged armor',
  weight: 8,
  async run(round) {
    const { dice, library, ask, agree } = round
    const { armorSlate } = library.slatepack
    const sender = party(dice, library)
    const armored = armorSlate(randomSlate(dice, library), { prefix: PREFIX, sender: sender.key })
    const text = mangled(dice, armored)
    const theirs = ask('open', { text })
    agree(text, await attempt(() => openOurs(round, text, [])), await theirs)
  },
}

export const alteredJsonPacksFamily: Family = {
  name: 'altered JSON slatepacks',
  weight: 3,
  async run(round) {
    const { dice, library, ask, agree } = round
    const payload = library.slate.encodeSlate(randomSlate(dice, library))
    const sender = dice.chance(0.7) && { sender: party(dice, library).key }
    const good = library.slatepack.formatEnvelopeJson({ mode: 'plain', payload, ...sender }, PREFIX)
    const text = alteredJson(dice, good)
    const theirs = ask('open', { text })
    agree(text, await attempt(() => openOurs(round, text, [])), await theirs)
  },
}

function mangled(dice: Dice, armored: string): string {
  const at = dice.below(armored.length)
  const edge = dice.pick([dice.below(17), armored.length - dice.upTo(17)])
  const letter = dice.pick([...'1zZ09OIl.>\n\t\r \u00a0BE'])
  const edits = [
    () => armored,
    () => armored.slice(0, at) + letter + armored.slice(at),
    () => armored.slice(0, at) + letter + armored.slice(at + 1),
    () => armored.slice(0, edge) + letter + armored.slice(edge),
    () => armored.slice(0, edge) + armored.slice(edge + 1),
    () => armored.slice(0, at),
    () => armored.replaceAll(' ', dice.pick(['', '\n', '\r\n', '\n> ', '\t', '  '])),
    () => `${armored.trimEnd()} thanks!`,
    () => armored.trimEnd().slice(0, -1),
    () => armored + armored,
    () => `${dice.pick([' ', '\n', '> ', 'hello '])}${armored}`,
    () => dice.pick([armored.toLowerCase(), armored.toUpperCase()]),
  ]
  return dice.pick(edits)()
}

export const damagedEnvelopesFamily: Family = {
  name: 'damaged envelopes',
  weight: 6,
  async run(round) {
    const { dice, library, ask, agree } = round
    const { armor, encodeEnvelope } = library.slatepack
    const [sender, reader] = [party(dice, library), party(dice, library)]
    const slate = library.slate.encodeSlate(randomSlate(dice, library))
    const encrypted = dice.chance(0.3)
    const good = encrypted
      ? fromHex(
          okOf<Packed>(
            await ask('pack', {
              slate: toHex(library.slate.encodeSlate(randomSlate(dice, library))),
              to: [reader.address],
            }),
          ).binary,
        )
      : encodeEnvelope({ mode: 'plain', payload: slate, ...(dice.chance(0.7) && { sender: sender.key }) }, PREFIX)
    const head = good.subarray(0, Math.min(good.length, 90))
    const bytes = dice.chance(0.5)
      ? new Uint8Array([...damaged(dice, head), ...good.subarray(head.length)])
      : damaged(dice, good)
    const text = armor(bytes)
    const seed = encrypted || dice.chance(0.2) ? { seed: toHex(reader.seed) } : {}
    const theirs = ask('open', { text, ...seed })
    agree(toHex(bytes), await attempt(() => openOurs(round, text, seed.seed ? [reader.seed] : [])), await theirs)
  },
}
