// Tells this run of a daemon from every other: so the doctor knows who answers through the proxy.
import { toHex } from '../../lib/bytes.js'

const BYTES = 8

export const processName = (random: { bytes(length: number): Uint8Array }): string => toHex(random.bytes(BYTES))
