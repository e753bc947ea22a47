// Thread entry: makes and checks range proofs.
import { warmRangeProofs } from '../grin/crypto/index.js'
import { serveRequests } from './messages.js'
import { answerRange } from './range-requests.js'

serveRequests({ warm: warmRangeProofs, answer: answerRange })
