export { createQueries, type Queries, type QueriesParts, type Reader, type SlicedTask } from './queries.js'
export { begunLater, type PageSink, readTask, type ValueSink, workTask } from './tasks.js'
