/** Callbacks that observe a stream while the program reads it. */
export interface StreamObserver {
  onChunk(chunk: Uint8Array): void
  /** Called once it has ended, failed or been left, before its reader learns of it; perhaps more than once. */
  onEnd(): void
}

type Stream = ReadableStream<Uint8Array>
type Reader = ReadableStreamDefaultReader<Uint8Array>
type ReadResult = { done: boolean; value?: Uint8Array | undefined }
/** Either kind of reader: a body of bytes has both. */
interface AnyReader {
  read(...values: unknown[]): Promise<ReadResult>
  cancel(reason?: unknown): Promise<void>
  releaseLock(): void
}

const observer = Symbol('heddle.stream-observer')
type WithObserver<T> = T & { [observer]: StreamObserver & { isReleased?: boolean } }

/**
 * Observes every chunk that the program reads, by any method. The stream remains the same object with its own chunks: wrapping it in a second stream
 * would cost more per chunk than reading it. Returns false, without observing, for anything that is not a web stream or whose methods cannot be
 * replaced.
 */
export function observeStream(stream: Stream, { onChunk, onEnd }: StreamObserver): boolean {
  return typeof stream.getReader === 'function' && attach(stream, { onChunk, onEnd }, streamMethods)
}

function attach(target: object, value: StreamObserver, methods: Methods): boolean {
  const { [observer]: known } = target as Partial<WithObserver<object>>
  if (known) {
    Object.assign(known, inTurn({ ...known }, value))
    return true
  }
  if (!Object.isExtensible(target)) return false
  Object.defineProperty(target, observer, { value })
  Object.setPrototypeOf(target, withMethods(Object.getPrototypeOf(target) as object, methods))
  return true
}

/** One call may be recorded by two trajectories. */
function inTurn(one: StreamObserver, other: StreamObserver): StreamObserver {
  return {
    onChunk(chunk) {
      one.onChunk(chunk)
      other.onChunk(chunk)
    },
    onEnd() {
      one.onEnd()
      other.onEnd()
    },
  }
}

type Methods = (original: object) => object
const prototypes = new WeakMap<object, object>()

/** One prototype for each class: members of each object would cost more than all the rest. */
function withMethods(original: object, methods: Methods): object {
  const known = prototypes.get(original)
  if (known) return known
  const derived = Object.create(original, Object.getOwnPropertyDescriptors(methods(original))) as object
  prototypes.set(original, derived)
  return derived
}

const streamMethods: Methods = (original) => {
  const { getReader, cancel, pipeTo, pipeThrough, tee } = original as Stream
  return {
    getReader(this: WithObserver<Stream>, ...options: []) {
      const reader = getReader.apply(this, options)
      const { onChunk, onEnd } = this[observer]
      attach(reader, { onChunk, onEnd }, readerMethods)
      return reader
    },
    async cancel(this: WithObserver<Stream>, reason?: unknown) {
      if (!this.locked) this[observer].onEnd()
      await cancel.call(this, reason)
    },
    values(this: WithObserver<Stream>, options?: { preventCancel?: boolean }) {
      return chunksOf(getReader.call(this) as Reader, this[observer], options?.preventCancel === true)
    },
    [Symbol.asyncIterator](this: WithObserver<Stream>) {
      return chunksOf(getReader.call(this) as Reader, this[observer], false)
    },
    pipeTo(this: WithObserver<Stream>, ...values: Parameters<Stream['pipeTo']>) {
      return pipeTo.apply(relayed(this), values)
    },
    pipeThrough(this: WithObserver<Stream>, ...values: Parameters<Stream['pipeThrough']>) {
      return pipeThrough.apply(relayed(this), values)
    },
    tee(this: WithObserver<Stream>) {
      return tee.call(relayed(this))
    },
  }
}

const readerMethods: Methods = (original) => {
  const { read, cancel, releaseLock } = original as AnyReader
  return {
    read(this: WithObserver<AnyReader>, ...values: unknown[]) {
      const observing = this[observer]
      return read.apply(this, values).then(
        (result) => show(result, observing),
        (error: unknown) => {
          // A released reader fails, but its stream continues.
          if (!observing.isReleased) observing.onEnd()
          throw error
        },
      )
    },
    async cancel(this: WithObserver<AnyReader>, reason?: unknown) {
      if (!this[observer].isReleased) this[observer].onEnd()
      await cancel.call(this, reason)
    },
    releaseLock(this: WithObserver<AnyReader>) {
      this[observer].isReleased = true
      releaseLock.call(this)
    },
  }
}

function show<Result extends ReadResult>(result: Result, { onChunk, onEnd }: StreamObserver): Result {
  if (result.done) onEnd()
  else if (result.value) onChunk(result.value)
  return result
}

/** Iterates as a stream does, which would read without the methods of its reader. */
function chunksOf(reader: Reader, observing: StreamObserver, preventCancel: boolean): AsyncIterableIterator<Uint8Array> {
  let isOver = false
  const end = () => {
    if (isOver) return
    isOver = true
    reader.releaseLock()
  }
  const seen = (result: ReadResult) => {
    show(result, observing)
    if (result.done) end()
    return result as IteratorResult<Uint8Array>
  }
  const fail = (error: unknown) => {
    if (!isOver) observing.onEnd()
    end()
    throw error
  }
  return {
    next: () => (isOver ? Promise.resolve({ done: true, value: undefined }) : reader.read().then(seen, fail)),
    async return(value?: unknown) {
      if (isOver) return { done: true, value }
      if (!preventCancel) observing.onEnd()
      const cancelled = preventCancel ? undefined : reader.cancel(value)
      end()
      await cancelled
      return { done: true, value }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

/** A stream of the same chunks for what reads a stream without its methods. */
function relayed(stream: Stream): Stream {
  const reader = stream.getReader()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
