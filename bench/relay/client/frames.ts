// Frames of a websocket client, made before the clock starts.

/** Not zeros: some servers leave out the work of unmasking then. */
const MASK = [0x37, 0xfa, 0x21, 0x3d] as const
const MASKED = 0x80
const FINAL = 0x80
const SHORT = 125
const MEDIUM = 0xffff

export const OPCODES = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const

function headOf(opcode: number, length: number): Buffer {
  if (length <= SHORT) return Buffer.from([FINAL | opcode, MASKED | length, ...MASK])
  if (length <= MEDIUM) return Buffer.from([FINAL | opcode, MASKED | 126, length >> 8, length & 0xff, ...MASK])
  const head = Buffer.from([FINAL | opcode, MASKED | 127, 0, 0, 0, 0, 0, 0, 0, 0, ...MASK])
  head.writeUInt32BE(length, 6)
  return head
}

export function frameOf(payload: Buffer, opcode: number = OPCODES.text): Buffer {
  const head = headOf(opcode, payload.length)
  const frame = Buffer.allocUnsafe(head.length + payload.length)
  head.copy(frame)
  for (let at = 0; at < payload.length; at++) frame[head.length + at] = payload[at]! ^ MASK[at & 3]!
  return frame
}

/** A message of the protocol as a frame. */
export const messageFrame = (...message: readonly unknown[]): Buffer => frameOf(Buffer.from(JSON.stringify(message)))

/** An event's JSON text as the frame that publishes it. */
export const eventFrame = (text: string): Buffer => frameOf(Buffer.from(`["EVENT",${text}]`))
