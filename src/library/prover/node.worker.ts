// Thread entry of Node: makes and checks range proofs.
import { warmRangeProofs } from '../../grin/crypto/index.js'
import { serveRequests } from '../../prover/node.js'
import { answerRange } from '../../prover/range-requests.js'

serveRequests({ warm: warmRangeProofs, answer: answerRange })
