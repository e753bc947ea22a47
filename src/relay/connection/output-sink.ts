// The way from an outbox to its connection.

import type { Engine } from '../engine.js'
import type { OutboxParts, Press } from '../output/index.js'
import type { Connection } from './connection.js'

/** A class, because there is one for each of ten thousand connections. */
export class Way implements OutboxParts {
  private readonly engine: Engine
  private readonly connection: Connection

  constructor(engine: Engine, connection: Connection) {
    this.engine = engine
    this.connection = connection
  }

  get press(): Press {
    return this.engine.press
  }

  get maxPendingBytes(): number {
    return this.engine.settings.limits.maxPendingBytes
  }

  write(frames: Buffer): boolean {
    this.engine.tally.bytesOut += frames.length
    return this.connection.write(frames)
  }

  pendingBytes(): number {
    return this.connection.pendingBytes()
  }

  grew(bytes: number): void {
    this.engine.ceiling.grew(bytes)
  }

  drop(reason: string): void {
    this.connection.drop(reason)
  }
}
