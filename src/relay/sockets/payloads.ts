// The other way round: texts out of frames that we made, for sockets that want to compress them.

const [LONG, LONGER] = [126, 127]

/** The payload of each frame, copied: who made the frames may use their memory again. Frames are whole and not masked. */
export function payloadsOf(frames: Buffer): readonly Buffer[] {
  const payloads: Buffer[] = []
  for (let at = 0; at < frames.length; ) {
    const { start, length } = payloadAt(frames, at)
    payloads.push(Buffer.from(frames.subarray(start, start + length)))
    at = start + length
  }
  return payloads
}

function payloadAt(frames: Buffer, at: number): { readonly start: number; readonly length: number } {
  const short = frames.readUInt8(at + 1)
  if (short === LONG) return { start: at + 4, length: frames.readUInt16BE(at + 2) }
  if (short === LONGER) return { start: at + 10, length: Number(frames.readBigUInt64BE(at + 2)) }
  return { start: at + 2, length: short }
}
