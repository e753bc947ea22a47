// Reads a server's frames as a client does: with the receiver of the websocket library, whose types leave it out.
import type { Writable } from 'node:stream'
import * as library from 'ws'

const { Receiver } = library as unknown as { readonly Receiver: new () => Writable }

/** The texts of whole frames. Throws for what is no frame. */
export function textsOf(...frames: readonly Uint8Array[]): readonly string[] {
  const texts: string[] = []
  const receiver = new Receiver()
  receiver.on('message', (data: Buffer, isBinary: boolean) => texts.push(isBinary ? '(binary)' : data.toString()))
  let failure: Error | undefined
  receiver.on('error', (error) => {
    failure = error
  })
  for (const bytes of frames) receiver.write(Buffer.from(bytes))
  if (failure) throw failure
  return texts
}
