import type { Buffer } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { badRequest, tooLarge } from '@heddle/core-api/internal'
import type { MemoryReservation } from './body-budget.ts'
import { createGathering } from './gather-bytes.ts'

/** Source of a request's bytes. */
export interface BodySource {
  request: Request
  /** The raw message when a Node server received the request: reading it spares a web stream. */
  incoming: IncomingMessage | undefined
  /** Counts the bytes read. Absent: they are not counted. */
  meter?: BodyMeter
}

/** How large the body of a request is. */
export interface BodyMeter {
  /** Unpacked, as far as it was read. */
  bytes: number
  /** Length on the wire, from its header; undefined without one. */
  readonly declaredBytes: number | undefined
}

export function createBodyMeter(headers: Headers): BodyMeter {
  const declared = Number(headers.get('content-length') ?? Number.NaN)
  return { bytes: 0, declaredBytes: Number.isSafeInteger(declared) ? declared : undefined }
}

export interface BodyBounds {
  maxBytes: number
  /** The message for a larger body. Default: that it is too large. */
  describeExcess?: (declared: number | undefined) => string
  /** Where the body is counted; absent for one that is not kept in memory. */
  memory?: MemoryReservation
}

/** Takes one chunk of a body. The next one follows when the promise, if any, has resolved. */
export type TakeChunk = (chunk: Uint8Array) => void | Promise<void>

/**
 * Passes the body to `take` chunk by chunk, as it arrives. What `take` rejects with is thrown.
 * @throws ApiError 413 before the first byte beyond `maxBytes` is kept, 400 when the client stops early, 503 when no memory is left for it
 */
export async function consumeBody(source: BodySource, bounds: BodyBounds, take: TakeChunk): Promise<void> {
  const declared = declaredLength(source.request.headers)
  if (declared !== undefined) {
    if (declared > bounds.maxBytes) throw tooLarge(bounds.describeExcess?.(declared))
    bounds.memory?.assertAvailable(declared)
  }
  let received = 0
  const receive: TakeChunk = (chunk) => {
    received += chunk.byteLength
    if (received > bounds.maxBytes) throw tooLarge(bounds.describeExcess?.(declared))
    if (source.meter) source.meter.bytes += chunk.byteLength
    return take(chunk)
  }
  await (source.incoming ? readIncoming(source.incoming, receive) : readWeb(source.request, receive))
  if (declared !== undefined && received !== declared) throw badRequest(`the body has ${received} bytes, but Content-Length is ${declared}`)
}

/** The whole body. Not copied if it arrived in one chunk. */
export async function readBody(source: BodySource, bounds: BodyBounds): Promise<Uint8Array> {
  const gathered = createGathering(declaredLength(source.request.headers))
  await consumeBody(source, bounds, (chunk) => {
    bounds.memory?.reserve(chunk.byteLength)
    gathered.add(chunk)
  })
  return gathered.finish()
}

function declaredLength(headers: Headers): number | undefined {
  const text = headers.get('content-length')
  if (text === null) return undefined
  if (!/^\d{1,15}$/.test(text)) throw badRequest(`Content-Length must be a number of bytes, got ${text.slice(0, 40)}`)
  return Number(text)
}

/** Pauses the message when `receive` fails; the server discards the rest after the response. */
function readIncoming(incoming: IncomingMessage, receive: TakeChunk): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: unknown) => {
      incoming.off('data', onData).off('end', settle).off('close', onClose).off('error', onClose)
      incoming.pause()
      if (error === undefined) resolve()
      else reject(error as Error)
    }
    const wait = (taken: Promise<void>) => {
      incoming.pause()
      taken.then(() => incoming.resume(), settle)
    }
    const onData = (chunk: Buffer) => {
      try {
        const taken = receive(chunk)
        if (taken) wait(taken)
      } catch (error) {
        settle(error)
      }
    }
    const onClose = () => settle(badRequest('the client closed the connection before the body was complete'))
    if (incoming.readableEnded) return resolve()
    if (incoming.destroyed) return onClose()
    incoming.on('data', onData).once('end', settle).once('close', onClose).once('error', onClose)
  })
}

async function readWeb(request: Request, receive: TakeChunk): Promise<void> {
  const reader = request.body?.getReader()
  if (!reader) return
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) await receive(piece.value)
  } catch (error) {
    void reader.cancel().catch(() => undefined)
    throw error
  }
}
