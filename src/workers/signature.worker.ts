// Thread entry: checks the signatures of a ring, and sleeps where there are none.
import { type MessagePort, parentPort } from 'node:worker_threads'
import { isSignature } from '../nostr/keys/index.js'
import { createSignatureRing } from './signature-ring.js'
import type { FromSignatureWorker } from './signature-thread.js'

/** Verdicts after which the main thread is told, though there is more to check: it shall not wait for a whole ring. */
const PORTION = 32

/** Returns when the ring is stopped, and the thread ends: its event loop has nothing else to do. */
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
port.postMessage('ready' satisfies FromSignatureWorker)
