export { createLiveIndex, type LiveIndex } from './live-index.js'
