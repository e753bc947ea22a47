// A checker of signatures that dies after a few: for the verifier's tests.
import { parentPort } from 'node:worker_threads'
import { createSignatureRing } from '../../src/workers/signature-ring.js'

parentPort?.once('message', (memory: SharedArrayBuffer) => {
  const ring = createSignatureRing(memory)
  for (let left = 3; left > 0 && !ring.isStopped(); ) {
    if (!ring.checkNext()) ring.sleep()
    else if (left-- && ring.mustTell()) parentPort?.postMessage('checked')
  }
  process.exit(3)
})
parentPort?.postMessage({ ready: 'native' })
