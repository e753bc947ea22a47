// What the bytes and numbers of Grin's protocol mean, as types that do not stand for each other.
import type { BytesOf, NumberOf } from '../../lib/kinds.js'

/** The seed of a wallet, 16 … 32 bytes. Secret. */
export type WalletSeed = BytesOf<'wallet seed'>
/** The ed25519 seed of an address, 32 bytes. Secret. */
export type AddressSeed = BytesOf<'address seed'>
/** The ed25519 key of an address, 32 bytes. Public. */
export type AddressKey = BytesOf<'address key'>
/** The view key of a wallet, 32 bytes: reveals all amounts and paths, and spends nothing. */
export type ViewKey = BytesOf<'view key'>
/** A key outside Grin's key tree, 32 bytes. Secret. */
export type Subkey = BytesOf<'subkey'>
/** Opens the amount and the message of one range proof, 32 bytes. */
export type RewindNonce = BytesOf<'rewind nonce'>
/** Hides the blinding factor in one range proof, 32 bytes. Secret. */
export type PrivateNonce = BytesOf<'private nonce'>
/** Packed key and nonce of one participant, 64 bytes. Secret. */
export type SlateSecretBytes = BytesOf<'slate secrets'>
/** A kernel offset, 32 bytes. */
export type Offset = BytesOf<'offset'>
/** A public key or public nonce of a participant, or a sum of them: 33 bytes starting 02 or 03. */
export type PublicKey = BytesOf<'public key'>
/** A commitment or kernel excess: 33 bytes starting 08 or 09. */
export type Commitment = BytesOf<'commitment'>
/** A range proof, 675 bytes. */
export type RangeProof = BytesOf<'range proof'>
/** A signature, or a share of one, over a kernel: 64 bytes in raw order. */
export type KernelSignature = BytesOf<'kernel signature'>
/** An ed25519 signature of a payment proof, 64 bytes. */
export type AddressSignature = BytesOf<'address signature'>

/** An amount of nanogrin, 0 … 2^64-1. */
export type Amount = NumberOf<'amount'>
/** A secret key, 1 … n-1. */
export type SecretKey = NumberOf<'secret key'>
/** A secret nonce, 1 … n-1. */
export type SecretNonce = NumberOf<'secret nonce'>
/** The blinding factor of an output. Secret. */
export type BlindingFactor = NumberOf<'blinding factor'>
