// Worker entry of browsers: makes and checks range proofs.
import { warmRangeProofs } from '../../grin/crypto/index.js'
import { responseTo } from '../../prover/index.js'
import { answerRange, type RangeRequest } from '../../prover/range-requests.js'

// A worker's own, other than those of a page.
declare const addEventListener: (type: 'message', listener: (event: { readonly data: RangeRequest }) => void) => void
declare const postMessage: (message: unknown) => void

addEventListener('message', ({ data }) => postMessage(responseTo(data, answerRange)))
warmRangeProofs()
postMessage({ kind: 'ready' })
