// Connects an outbox with its connection.

import type { Engine } from '../engine.js'
import type { FrameWriter, OutboxParts } from '../output/index.js'
import type { ClientConnection } from './connection.js'

/** A class, because there may be ten thousand. */
export class OutputSink implements OutboxParts {
  private readonly engine: Engine
  private readonly connection: ClientConnection

  constructor(engine: Engine, connection: ClientConnection) {
    this.engine = engine
    this.connection = connection
  }

  get frameWriter(): FrameWriter {
    return this.engine.frameWriter
  }

  get maxPendingBytes(): number {
    return this.engine.settings.limits.maxPendingBytes
  }

  write(frames: Buffer): boolean {
    this.engine.counters.bytesOut += frames.length
    return this.connection.write(frames)
  }

  pendingBytes(): number {
    return this.connection.pendingBytes()
  }

  grew(bytes: number): void {
    this.engine.memoryLimit.grew(bytes)
  }

  drop(reason: string): void {
    this.connection.drop(reason)
  }
}
