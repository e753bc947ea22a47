// Thread entry: makes and checks range proofs, and collects garbage when idle.
import { warmRangeProofs } from '../grin/crypto/index.js'
import { collectGarbage, QUIET_MS } from '../lib/heap.js'
import { serveRequests } from '../prover/node.js'
import { answerRange } from '../prover/range-requests.js'

let whenQuiet: NodeJS.Timeout | undefined
function afterwards(): void {
  clearTimeout(whenQuiet)
  whenQuiet = setTimeout(collectGarbage, QUIET_MS).unref()
}

serveRequests({ warm: warmRangeProofs, answer: answerRange, afterwards })
