import { StoreError } from '../../work/store-error.ts'
import type { Timing } from '../../timing.ts'

export interface JournalCapacityOptions {
  /** Bytes in the journal now. */
  usedBytes(): number
  /** Capacity of the journal in bytes; writers beyond it are queued. A larger block is admitted alone. */
  maxBytes: number
  /** Maximum bytes that may be queued. */
  maxWaitingBytes: number
  /** Milliseconds that a writer may be queued. */
  maxWaitingMs: number
  /** What a tenant has written lately. */
  recentBytesOf(tenant: string): number
  /** Why no writer is queued now; undefined when writers are. */
  findRefusal(): StoreError | undefined
  timing: Timing
}

/**
 * Admits writers to a journal while it has room, and queues the others within bounds: those of the tenant that wrote least lately are first, and those
 * of one tenant in their order. So a small writer does not wait for all that a tenant has queued which fills the journal.
 */
export interface JournalCapacity {
  /**
   * Resolves once the journal has capacity for the bytes, which are the writer's until it releases them.
   * @throws StoreError `busy` when too much is queued or the wait is too long; what `findRefusal` gives; or what `rejectAll` was given.
   */
  acquire(tenant: string, bytes: number): Promise<void>
  /** Releases acquired bytes: they are in the journal, or will not be written. */
  release(bytes: number): void
  /** Admits the next writers that fit, after the journal has become shorter. */
  admit(): void
  /** Rejects all that are queued. */
  rejectAll(error: StoreError): void
  /** Bytes that are queued. */
  readonly waitingBytes: number
  /** Milliseconds for which the oldest writer has been queued; 0 when none is. */
  readonly oldestWaitingMs: number
}

interface Writer {
  tenant: string
  bytes: number
  sinceMs: number
  admit(): void
  reject(error: StoreError): void
}

export function createJournalCapacity(options: JournalCapacityOptions): JournalCapacity {
  const { usedBytes, maxBytes, maxWaitingBytes, maxWaitingMs, recentBytesOf, findRefusal, timing } = options
  const writers: Writer[] = []
  let acquiredBytes = 0
  let waitingBytes = 0

  function hasRoom(bytes: number): boolean {
    const used = usedBytes() + acquiredBytes
    return used === 0 || used + bytes <= maxBytes
  }

  function oldestWaitingMs(): number {
    return writers[0] ? timing.now() - writers[0].sinceMs : 0
  }

  function findExcess(bytes: number): StoreError | undefined {
    if (waitingBytes + bytes <= maxWaitingBytes && oldestWaitingMs() <= maxWaitingMs) return undefined
    return busy(`${waitingBytes} bytes are queued for the store, the oldest for ${Math.round(oldestWaitingMs())} ms`)
  }

  function enqueue(tenant: string, bytes: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const cancel = timing.after(maxWaitingMs, () => writer.reject(busy(`the journal had no capacity within ${maxWaitingMs} ms`)))
      const dequeue = () => {
        cancel()
        writers.splice(writers.indexOf(writer), 1)
        waitingBytes -= bytes
      }
      const writer: Writer = {
        tenant,
        bytes,
        sinceMs: timing.now(),
        admit() {
          dequeue()
          acquiredBytes += bytes
          resolve()
        },
        reject(error) {
          dequeue()
          reject(error)
        },
      }
      waitingBytes += bytes
      writers.push(writer)
    })
  }

  /** The first writer of the waiting tenant that wrote least lately; among equal tenants, of the one that came first. */
  function nextWriter(): Writer | undefined {
    let next: Writer | undefined
    let least = Infinity
    const seen = new Set<string>()
    for (const writer of writers) {
      if (seen.has(writer.tenant)) continue
      seen.add(writer.tenant)
      const recent = recentBytesOf(writer.tenant)
      if (recent >= least) continue
      next = writer
      least = recent
    }
    return next
  }

  function admit(): void {
    for (let writer = nextWriter(); writer && hasRoom(writer.bytes); writer = nextWriter()) writer.admit()
  }

  return {
    acquire(tenant, bytes) {
      if (writers.length === 0 && hasRoom(bytes)) {
        acquiredBytes += bytes
        return Promise.resolve()
      }
      const refusal = findRefusal() ?? findExcess(bytes)
      if (refusal !== undefined) return Promise.reject(refusal)
      const admitted = enqueue(tenant, bytes)
      // Its tenant may be before all that wait.
      admit()
      return admitted
    },
    release(bytes) {
      acquiredBytes -= bytes
      admit()
    },
    admit,
    rejectAll(error) {
      while (writers[0]) writers[0].reject(error)
    },
    get waitingBytes() {
      return waitingBytes
    },
    get oldestWaitingMs() {
      return oldestWaitingMs()
    },
  }
}

function busy(message: string): StoreError {
  return new StoreError('busy', message, { retryAfterSeconds: 1 })
}
