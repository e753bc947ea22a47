export { type ByteReader, createByteReader } from './reader.js'
export { type ByteWriter, createByteWriter } from './writer.js'
