export { createReader, type Reader } from './reader.js'
export { createWriter, type Writer } from './writer.js'
