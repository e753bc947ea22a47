export { createQueryScheduler, type QueryClient, type QueryScheduler, type SlicedTask } from './query-scheduler.js'
export { begunLater, type PageSink, readTask, workTask } from './sliced-tasks.js'
