export { createQueries, type Queries, type Reader, type SlicedTask } from './query-scheduler.js'
export { begunLater, type PageSink, readTask, workTask } from './sliced-tasks.js'
