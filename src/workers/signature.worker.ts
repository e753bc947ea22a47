// Thread entry: checks the signatures of a ring, and sleeps while there are none.
import { type MessagePort, parentPort } from 'node:worker_threads'
import { isSignature, signatureCheck } from '../nostr/keys/index.js'
import { createSignatureRing } from './signature-ring.js'
import type { FromSignatureWorker } from './verifier.js'

/** Verdicts before a message to the main thread, even if more signatures wait: it must not wait for a whole ring. */
const PORTION = 32

/** Returns when the ring is stopped. The thread then ends, because its event loop is empty. */
function serve(port: MessagePort, memory: SharedArrayBuffer): void {
  const ring = createSignatureRing(memory)
  const tell = (word: FromSignatureWorker): void => port.postMessage(word)
  while (!ring.isStopped()) {
    let checked = 0
    while (checked < PORTION && !ring.isStopped() && ring.checkNext()) checked++
    if (checked > 0 && ring.mustTell()) tell('checked')
    if (checked === 0) ring.sleep()
  }
}

const port = parentPort
if (!port) throw new Error('a worker entry runs in a worker thread only')
const nothing = new Uint8Array(32)
isSignature(new Uint8Array(64), nothing, nothing) // loads the library in C
port.once('message', (memory: SharedArrayBuffer) => serve(port, memory))
port.postMessage({ ready: signatureCheck() } satisfies FromSignatureWorker)
