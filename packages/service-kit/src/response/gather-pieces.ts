import { Buffer } from 'node:buffer'
import { setImmediate } from 'node:timers/promises'

/** Collects encoded rows into chunks of a response. Supports one waiter at a time. */
export interface GatheredPieces {
  /** True if nothing follows the gathered pieces. */
  readonly ended: boolean
  /**
   * Waits for the first row, at most this many milliseconds, and for the rows that are available right after it.
   * @throws the error of the source so far
   */
  atHand(ms: number | undefined): Promise<void>
  /**
   * Waits until there is something to send or the rows have ended. False after this many milliseconds.
   * @throws whatever the source failed with, once all before it was taken
   */
  arrival(ms: number | undefined): Promise<boolean>
  /** Waits until a chunk is full or the rows have ended. False after this many milliseconds. */
  full(ms?: number): Promise<boolean>
  take(): Buffer<ArrayBuffer>
  /** Cancels the source. */
  leave(): void
}

export interface GatherOptions {
  encode: (row: unknown) => string | Uint8Array
  /** Bytes of a full chunk, about. */
  pieceBytes: number
  /** The same of the first one: a response that fits into it is sent whole. */
  firstBytes: number
}

/** Each row is encoded separately: a single character beyond Latin-1 makes encoding a string take twice as long. */
export function gatherPieces(rows: AsyncIterable<unknown>, { encode, pieceBytes, firstBytes }: GatherOptions): GatheredPieces {
  const iterator = rows[Symbol.asyncIterator]()
  let encoded: Uint8Array[] = []
  let gathered = 0
  let fullBytes = firstBytes
  let isFilling = false
  let isLeft = false
  let ended = false
  let failure: { error: unknown } | undefined
  /** Makes the waiter check its condition. */
  let wake = () => {}

  const isOver = () => ended || isLeft || failure !== undefined

  async function add(): Promise<void> {
    const next = await iterator.next()
    if (next.done) {
      ended = true
      return
    }
    const line = encode(next.value)
    const row = typeof line === 'string' ? Buffer.from(line) : line
    encoded.push(row)
    gathered += row.byteLength
    wake()
  }

  async function fill(): Promise<void> {
    if (isFilling) return
    isFilling = true
    try {
      while (gathered < fullBytes && !isOver()) await add()
    } catch (error) {
      failure = { error }
    }
    isFilling = false
    wake()
  }

  /** Leaves no timer or callback behind, however often it waits for the same row. */
  function until(isDone: () => boolean, ms: number | undefined): Promise<boolean> {
    if (isDone()) return Promise.resolve(true)
    return new Promise((resolve) => {
      const settle = (isInTime: boolean) => {
        clearTimeout(timer)
        wake = () => {}
        resolve(isInTime)
      }
      const timer = ms === undefined ? undefined : setTimeout(settle, ms, false)
      wake = () => void (isDone() && settle(true))
      void fill()
    })
  }

  const full = (ms?: number) => until(() => gathered >= fullBytes || isOver(), ms)

  async function arrival(ms: number | undefined): Promise<boolean> {
    const isInTime = await until(() => gathered > 0 || isOver(), ms)
    if (gathered === 0 && failure) throw failure.error
    return isInTime
  }

  return {
    get ended() {
      return ended
    },
    arrival,
    full,
    async atHand(ms) {
      if (await arrival(ms)) await Promise.race([full(), setImmediate()])
      if (failure) throw failure.error
    },
    take() {
      const piece = Buffer.concat(encoded, gathered)
      encoded = []
      gathered = 0
      fullBytes = pieceBytes
      return piece
    },
    leave() {
      isLeft = true
      wake()
      void Promise.resolve(iterator.return?.()).catch(() => undefined)
    },
  }
}
