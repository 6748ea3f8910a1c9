import { parseMessage } from '../tools/schema/exact-arguments.ts'

/** A request whose body was read. */
export interface ReadRequest {
  /** With the same body. Of a longer one it has one byte more than the limit. */
  whole: Request
  /** The message, if arguments in it have numbers that `JSON.parse` would round. */
  parsedBody?: unknown
}

/** Reads at most one byte more than the limit, so that what takes the request refuses a longer one itself. */
export async function readExactly(request: Request, maxBytes: number): Promise<ReadRequest> {
  if (request.method !== 'POST' || request.body === null) return { whole: request }
  const bytes = await readBytes(request.body, maxBytes + 1)
  const whole = new Request(request.url, { method: 'POST', headers: request.headers, body: bytes, signal: request.signal })
  if (bytes.byteLength > maxBytes) return { whole }
  try {
    const parsedBody = parseMessage(new TextDecoder().decode(bytes))
    return { whole, ...(parsedBody !== undefined && { parsedBody }) }
  } catch {
    return { whole }
  }
}

async function readBytes(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    length += chunk.byteLength
    if (length >= maxBytes) break
  }
  return Buffer.concat(chunks).subarray(0, maxBytes)
}
