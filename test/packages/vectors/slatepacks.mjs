// test/vectors/wallet/slatepack.json over the public functions: slatepacks of grin-wallet 5.4.1, and what its reader says to odd inputs.
import { slate, slatepack } from '@grinpay/grin'
import { base64, bytes, codeOf } from './check.mjs'

const jsonOf = (one) => JSON.parse(slate.formatSlateJson(one))
const text = (key) => (key ? slatepack.formatAddress('grin', key) : null)
const seenAs = ({ sender, recipients, slate: found }) => ({
  sender: text(sender),
  recipients: recipients.map(text),
  slate: jsonOf(found),
})
const expectedOf = ({ sender, recipients, slate: found }) => ({ sender, recipients, slate: found })
const LIMIT = { limit: 100_000 }

const plainPackCase = (pack) => async () => {
  const said = { sender: pack.slatepack_json.sender ?? null, recipients: [], slate: pack.slate }
  const by = (read) => (read ? expectedOf(read) : said)
  const envelope = slatepack.decodeEnvelope(bytes(pack.slatepack_bin), 'grin')
  const json = JSON.stringify(pack.slatepack_json)
  return [
    [
      seenAs(await slatepack.readSlatepack(pack.armor, { prefix: 'grin', ...LIMIT })),
      seenAs(await slatepack.readSlatepack(json, { prefix: 'grin', ...LIMIT })),
      seenAs(await slatepack.openEnvelope(envelope, { prefix: 'grin' })),
      slatepack.dearmor(pack.armor, LIMIT.limit),
      slatepack.encodeEnvelope(envelope, 'grin'),
      slatepack.armor(slatepack.encodeEnvelope(envelope, 'grin')),
      JSON.parse(slatepack.formatEnvelopeJson(envelope, 'grin')),
      envelope.payload,
    ],
    [
      by(pack.read_armor),
      by(pack.read_json),
      by(pack.read_bin),
      pack.slatepack_bin,
      pack.slatepack_bin,
      pack.armor,
      pack.slatepack_json,
      pack.payload,
    ],
  ]
}

const encryptedCases = (pack, seeds) => {
  const readWith = (names) => () =>
    slatepack.readSlatepack(pack.armor, { prefix: 'grin', decryptWith: names.map((name) => seeds[name]), ...LIMIT })
  const others = Object.keys(seeds).filter((name) => !pack.recipients.includes(name))
  return [
    ...pack.reads.map((read) => [
      `encrypted ${pack.name} read by ${read.read_with_key_of}`,
      async () => {
        const reading = readWith(read.read_with_key_of === null ? [] : [read.read_with_key_of])
        return read.ok
          ? [seenAs(await reading()), expectedOf(read)]
          : [await codeOf(reading), 'SLATEPACK_CANNOT_DECRYPT']
      },
    ]),
    [
      `encrypted ${pack.name}, the right key last`,
      async () => {
        const opened = await readWith([...others, pack.recipients[0]])()
        return [
          [opened.encrypted, opened.seed, jsonOf(opened.slate)],
          [true, others.length, pack.slate],
        ]
      },
    ],
    [
      `encrypted ${pack.name}, its forms`,
      async () => [
        [
          slatepack.parseEnvelopeJson(JSON.stringify(pack.slatepack_json), 'grin').mode,
          slatepack.encodeEnvelope(slatepack.decodeEnvelope(bytes(pack.slatepack_bin), 'grin'), 'grin'),
          await codeOf(readWith([])),
        ],
        ['encrypted', pack.slatepack_bin, 'SLATEPACK_CANNOT_DECRYPT'],
      ],
    ],
  ]
}

/** The reason that the library names, as test/grin/slatepack/vectors.test.ts has it; every other text is read. */
const CODES = {
  'no footer': 'SLATEPACK_BAD_FOOTER',
  'no footer text': 'SLATEPACK_BAD_FOOTER',
  'other footer': 'SLATEPACK_BAD_FOOTER',
  'header only': 'SLATEPACK_BAD_FOOTER',
  'lower case frame': 'SLATEPACK_BAD_HEADER',
  'space inside the header word': 'SLATEPACK_BAD_HEADER',
  'space between header and its period': 'SLATEPACK_BAD_HEADER',
  'shorter than the header': 'SLATEPACK_BAD_HEADER',
  'one character changed': 'SLATEPACK_BAD_CHECK',
  'one character missing': 'SLATEPACK_BAD_CHECK',
  'check bytes at the end instead of the start': 'SLATEPACK_BAD_CHECK',
  'zero (not base58)': 'SLATEPACK_BAD_BASE58',
  'empty body': 'SLATEPACK_TOO_SHORT',
  'three byte body': 'SLATEPACK_TOO_SHORT',
  'only check bytes': 'SLATEPACK_TOO_SHORT',
  'mode 2': 'SLATEPACK_BAD_MODE',
  'mode 1 with a plain payload and no key: left as it is': 'SLATEPACK_CANNOT_DECRYPT',
  'optional length shorter than the sender field': 'SLATEPACK_INVALID',
  truncated: 'SLATEPACK_INVALID',
  'version without a period': 'SLATEPACK_INVALID',
  'payload not base64': 'SLATEPACK_INVALID',
  'mode 7': 'SLATEPACK_BAD_MODE',
}

const oddPackCases = (file) => {
  const odd = (inputs, read, expected) =>
    inputs.map((input) => [
      input.case,
      async () => {
        const code = await codeOf(() => read(input))
        if (CODES[input.case] || code !== 'ok') return [code, CODES[input.case] ?? 'ok']
        return expected(input, await read(input))
      },
    ])
  const readText = (input) => slatepack.readSlatepack(input.text, { prefix: 'grin' })
  const first = file.armor_input[0].result
  return [
    ...odd(file.armor_input, readText, (_, opened) => [
      [opened.encrypted, text(opened.sender), jsonOf(opened.slate)],
      [false, first.sender, file.plain[1].slate],
    ]),
    ...odd(file.json_input, readText, ({ result }, opened) => [seenAs(opened), expectedOf(result)]),
    ...odd(
      file.binary_input,
      ({ bin }) => slatepack.openEnvelope(slatepack.decodeEnvelope(bytes(bin), 'grin'), { prefix: 'grin' }),
      ({ bin, result }) => {
        const { payload, sender } = slatepack.decodeEnvelope(bytes(bin), 'grin')
        return [
          [base64(payload), text(sender)],
          [result.slatepack_json.payload, result.slatepack_json.sender],
        ]
      },
    ),
  ]
}

export const slatepackCases = (file) => {
  const seeds = Object.fromEntries(file.parties.map(({ name, ed25519_seed }) => [name, bytes(ed25519_seed)]))
  return [
    ...file.parties.map(({ name, slatepack_address }) => [
      name,
      () => [text(slatepack.addressOfSeed(seeds[name])), slatepack_address],
    ]),
    ...file.plain.map((pack) => [`plain ${pack.name}`, plainPackCase(pack)]),
    ...file.encrypted.flatMap((pack) => encryptedCases(pack, seeds)),
    ...file.crafted_encrypted.map(({ name, armor, read }) => [
      `crafted ${name}`,
      async () => {
        const reading = () =>
          slatepack.readSlatepack(armor, { prefix: 'grin', decryptWith: [seeds[read.read_with_key_of]] })
        return read.ok ? [seenAs(await reading()), expectedOf(read)] : [await codeOf(reading), 'SLATEPACK_INVALID']
      },
    ]),
    ...oddPackCases(file),
  ]
}
