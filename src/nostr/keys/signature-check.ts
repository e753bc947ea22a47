// Which code checks signatures in this process, and the notice about the slower one.
import { hasNativeSum } from './schnorr.js'

/** `native`: the C library in the optional package `secp256k1`. `webassembly`: the field machine, for machines without it. */
export type SignatureCheck = 'native' | 'webassembly'

export const signatureCheck = (): SignatureCheck => (hasNativeSum() ? 'native' : 'webassembly')

/** Relays report it at the start and in the doctor. The factor was measured: docs/performance.md. */
export const SLOW_SIGNATURES = {
  text: 'signatures are checked in WebAssembly, because the package secp256k1 does not load: an event costs 1.6 times the processor time',
  remedy:
    'npm rebuild --prefix "$(npm root -g)/grinpay" secp256k1 (with a C++ compiler and Python; the package has binaries for Linux x64, macOS arm64 and Windows x64)',
} as const
