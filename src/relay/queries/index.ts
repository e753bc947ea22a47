export { createQueries, type Queries, type QueriesParts, type Reader, type SlicedTask } from './query-scheduler.js'
export { begunLater, type PageSink, readTask, type ValueSink, workTask } from './sliced-tasks.js'
