// test/vectors/wallet/fees_and_kernels.json: fee fields, fees, kernels and sort order of grin_core 5.4.1.
import { describe, expect, test } from 'vitest'
import {
  addSignatures,
  compressedPublicKey,
  publicKeyToCommitment,
  rawToCompact,
  scalarFromBytes,
  signPartial,
} from '../../../src/grin/crypto/index.js'
import { parseSlateJson } from '../../../src/grin/slate/index.js'
import {
  encodeKernel,
  FEE_BASE,
  featuresJson,
  featuresOfSlate,
  feeField,
  isSigned,
  kernelHash,
  kernelMessage,
  MAX_WEIGHT,
  minimumFee,
  parseKernelJson,
  shiftedFee,
  signatureJson,
  sortByHash,
  sortKey,
  splitFee,
} from '../../../src/grin/tx/index.js'
import { createByteWriter } from '../../../src/grin/wire/index.js'
import { toHex } from '../../../src/lib/bytes.js'
import { bytes, codeOf, vectors } from '../../support/vectors.js'

const file = vectors('wallet/fees_and_kernels.json')
const slate = vectors('wallet/slates.json').slates[0].json

test('constants', () => {
  expect(FEE_BASE).toBe(BigInt(file.accept_fee_base))
  expect(MAX_WEIGHT).toBe(file.max_tx_weight)
})

describe('fee fields', () => {
  test.each<{ fee_shift: number; fee: string; ok: boolean; value: string; bin: string }>(file.fee_fields)(
    'fee $fee shift $fee_shift',
    ({ fee_shift, fee, ok, value, bin }) => {
      if (!ok) return expect(() => feeField(BigInt(fee), BigInt(fee_shift))).toThrow(RangeError)
      const field = feeField(BigInt(fee), BigInt(fee_shift))
      expect(field).toBe(BigInt(value))
      expect(splitFee(field)).toEqual({ fee: BigInt(fee), shift: BigInt(fee_shift), stray: false })
      expect(shiftedFee(field)).toBe(BigInt(fee) >> BigInt(fee_shift))
      expect(toHex(createByteWriter().u64(field).done())).toBe(bin)
    },
  )

  test.each<{ json: string; ok: boolean; value: string; fee: string; fee_shift: number }>(file.fee_fields_json_input)(
    'as JSON $json',
    async ({ json, ok, value, fee, fee_shift }) => {
      const text = JSON.stringify({ ...slate, fee: 'FEE' }).replace('"FEE"', json)
      if (!ok) return expect(await codeOf(() => parseSlateJson(text))).toBe('SLATE_INVALID')
      const field = parseSlateJson(text).fee
      expect(field).toBe(BigInt(value))
      // Readers do not look at the upper bits; the receiver refuses them (RULE 2.4), so reading keeps them visible.
      expect(splitFee(field)).toEqual({ fee: BigInt(fee), shift: BigInt(fee_shift), stray: BigInt(value) >= 2n ** 44n })
    },
  )

  test.each<{ inputs: number; outputs: number; kernels: number; fee: string }>(file.tx_fee)(
    'least fee of $inputs in, $outputs out',
    (shape) => expect(minimumFee(shape)).toBe(BigInt(shape.fee)),
  )
})

describe.each<Record<string, string> & { kernel_json: { features: unknown } }>(file.kernels)(
  'kernel $name',
  (vector) => {
    const kernel = parseKernelJson(vector.kernel_json)

    test('JSON, bytes, hash and message', () => {
      expect(featuresJson(kernel.features)).toEqual(vector.kernel_json.features)
      expect(signatureJson(kernel.signature)).toBe(vector.sig_compact)
      expect(toHex(kernel.signature)).toBe(vector.sig_raw)
      expect(toHex(encodeKernel(kernel, 1))).toBe(vector.kernel_bin_v1)
      expect(toHex(encodeKernel(kernel, 2))).toBe(vector.kernel_bin_v2)
      expect(toHex(encodeKernel(kernel, 3))).toBe(vector.kernel_bin_v2)
      expect(toHex(kernelHash(kernel))).toBe(vector.kernel_hash)
      expect(toHex(kernelMessage(kernel.features))).toBe(vector.message)
    })

    test('is signed, and by these secrets', () => {
      expect(isSigned(kernel)).toBe(true)
      expect(isSigned({ ...kernel, features: { kind: 'plain', fee: 5n } })).toBe(false)
      const [secretKey, secretNonce] = [vector.secret_excess, vector.secret_nonce].map((hex) =>
        scalarFromBytes(bytes(hex!)),
      )
      expect(toHex(compressedPublicKey(secretKey!))).toBe(vector.public_excess)
      expect(toHex(publicKeyToCommitment(bytes(vector.public_excess!)))).toBe(vector.excess_commitment)
      const part = signPartial({
        secretKey: secretKey!,
        secretNonce: secretNonce!,
        nonceSum: bytes(vector.public_nonce!),
        keySum: bytes(vector.public_excess!),
        message: bytes(vector.message!),
      })
      expect(toHex(part)).toBe(vector.partial_sig_raw)
      expect(toHex(rawToCompact(part))).toBe(vector.partial_sig_compact)
      expect(toHex(addSignatures([part], bytes(vector.public_nonce!)))).toBe(vector.sig_raw)
    })
  },
)

test.each<{ public_key: string; commitment: string }>(file.pubkey_to_commitment)(
  'public key $public_key as a commitment',
  ({ public_key, commitment }) => expect(toHex(publicKeyToCommitment(bytes(public_key)))).toBe(commitment),
)

test('inputs and outputs sort by their hashes', () => {
  const given: { features: number; commit: string; hash: string }[] = file.inputs_outputs_in_sort_order
  const members = given.map(({ features, commit }) => ({ coinbase: features === 1, commitment: bytes(commit) }))
  expect(members.map((one) => toHex(sortKey(one)))).toEqual(given.map(({ hash }) => hash))
  expect(sortByHash(members.toReversed())).toEqual(members)
})

test.each([
  [{ feat: 1 }, 'TX_INVALID'],
  [{ feat: 2 }, 'TX_INVALID'],
  [{ feat: 3 }, 'TX_INVALID'],
  [{ feat: 3, feat_args: { lock_hgt: 0 } }, 'TX_INVALID'],
  [{ feat: 3, feat_args: { lock_hgt: 10_081 } }, 'TX_INVALID'],
  [{ feat: 4, feat_args: { lock_hgt: 5 } }, 'TX_INVALID'],
  [{ feat: 255 }, 'TX_INVALID'],
  [{ feat: 3, feat_args: { lock_hgt: 10_080 } }, 'ok'],
  [{ feat: 2, feat_args: { lock_hgt: 0 } }, 'ok'],
  [{}, 'ok'],
])('a slate with %j asks for kernel features: %s', async (members, code) => {
  expect(await codeOf(() => featuresOfSlate(parseSlateJson({ ...slate, ...members })))).toBe(code)
})
