/** Buffers that are used again instead of becoming garbage. */
export interface BufferPool {
  /** A pooled buffer of at least this many bytes, which the caller owns until it is released; undefined if there is none. */
  acquire(bytes: number): ArrayBuffer | undefined
  /** Keeps the buffer for the next `acquire`. Dropped where it is shared, too small or too large, pooled already, or the pool is full. */
  release(buffer: ArrayBufferLike): void
}

export interface BufferPoolOptions {
  /** Smaller buffers are not kept. */
  minBytes: number
  /** Larger buffers are not kept. */
  maxBytes: number
  maxBuffers: number
}

export function createBufferPool({ minBytes, maxBytes, maxBuffers }: BufferPoolOptions): BufferPool {
  const buffers: ArrayBuffer[] = []
  return {
    acquire(bytes) {
      const at = buffers.findLastIndex((buffer) => buffer.byteLength >= bytes)
      return at < 0 ? undefined : buffers.splice(at, 1)[0]
    },
    release(buffer) {
      if (!(buffer instanceof ArrayBuffer) || buffer.byteLength < minBytes || buffer.byteLength > maxBytes) return
      if (buffers.length < maxBuffers && !buffers.includes(buffer)) buffers.push(buffer)
    },
  }
}
