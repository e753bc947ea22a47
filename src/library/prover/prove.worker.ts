// Worker entry of browsers: makes and checks range proofs.
import { warmRangeProofs } from '../../grin/crypto/index.js'
import { answerTo } from '../../prover/index.js'
import { answerRange, type RangeRequest } from '../../prover/range-requests.js'

addEventListener('message', ({ data }: MessageEvent<RangeRequest>) => postMessage(answerTo(data, answerRange)))
warmRangeProofs()
postMessage({ kind: 'ready' })
