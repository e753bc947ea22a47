// Kernel messages against test/vectors/crypto/kernel_msgs.json, made around the real library.
import { describe, expect, test } from 'vitest'
import { type KernelFeatures, kernelMessage } from '../../../src/grin/tx/index.js'
import { toHex } from '../../../src/lib/bytes.js'
import { casesOf } from '../crypto/vectors.js'

type KernelCase = {
  features: 0 | 1 | 2
  fee: string
  fee_fields: string
  fee_shift: number
  lock_height: string
  msg: string
}

function featuresOf({ features, fee_fields, lock_height }: KernelCase): KernelFeatures {
  const fee = BigInt(fee_fields)
  if (features === 1) return { kind: 'coinbase' }
  return features === 0 ? { kind: 'plain', fee } : { kind: 'height-locked', fee, lockHeight: BigInt(lock_height) }
}

describe('kernel messages', () => {
  test.each(casesOf<KernelCase>('kernel_msgs'))('kernel $features with fee field $fee_fields', (one) => {
    expect((BigInt(one.fee_shift) << 40n) | BigInt(one.fee)).toBe(BigInt(one.fee_fields))
    expect(toHex(kernelMessage(featuresOf(one)))).toBe(one.msg)
  })
})
