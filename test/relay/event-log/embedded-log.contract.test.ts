import { createEmbeddedLog } from '../../../src/relay/ingest/write-batch.js'
import { systemClock } from '../../../src/system/index.js'
import { describeEventLog } from '../../storage/contracts/event-log/index.js'

describeEventLog('embedded', async () => createEmbeddedLog(systemClock))
