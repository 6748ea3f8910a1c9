import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import type { CheckedTarget, ResolvedAddress } from './check-target.ts'
import { OutgoingError } from './outgoing-error.ts'

export interface Exchange {
  target: CheckedTarget
  method: string
  headers: Readonly<Record<string, string>>
  body: Uint8Array | undefined
  maxResponseBytes: number
  /** PEM; undefined for the authorities of the system. */
  certificateAuthority: string | undefined
  /** Aborts the exchange at any point. */
  signal: AbortSignal
}

export interface RawResponse {
  status: number
  headers: IncomingMessage['headers']
  /** The body as it arrives, no faster than it is read. Leaving the iteration closes the connection. */
  content: AsyncIterable<Uint8Array>
  /** Closes the connection of a response whose content is not read. */
  close(): void
}

/** Sends one request over its own connection to a checked address, up to the head of its response. Follows no redirects and uses no proxy. */
export function exchange({
  target,
  method,
  headers,
  body,
  maxResponseBytes,
  certificateAuthority: ca,
  signal,
}: Exchange): Promise<RawResponse> {
  const { url, addresses } = target
  return new Promise((resolve, reject) => {
    const open = url.protocol === 'https:' ? requestHttps : requestHttp
    const request = open(url, {
      method,
      // The response is never decompressed, so it cannot be a decompression bomb.
      headers: { 'accept-encoding': 'identity', ...headers, ...(body && { 'content-length': String(body.byteLength) }) },
      lookup: pinned(addresses),
      agent: false,
      ...(ca !== undefined && { ca }),
      signal,
    })
    // Errors after the head of the response are those of its content.
    request.on('error', (error) => reject(toOutgoingError(error, url)))
    request.once('response', (response) => {
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        content: readContent(response, { maxBytes: maxResponseBytes, url }),
        close: () => void request.destroy(),
      })
    })
    request.end(body)
  })
}

/** A DNS lookup that always returns the checked addresses. */
function pinned(addresses: readonly ResolvedAddress[]): LookupFunction {
  return (_host, { all }, callback) => {
    const [first] = addresses
    if (all) callback(null, [...addresses])
    else callback(null, first?.address ?? '', first?.family)
  }
}

async function* readContent(response: IncomingMessage, { maxBytes, url }: { maxBytes: number; url: URL }): AsyncGenerator<Uint8Array> {
  const tooLarge = () => new OutgoingError('too_large', `the response is longer than ${maxBytes} bytes`)
  let bytes = 0
  try {
    if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw tooLarge()
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.byteLength
      if (bytes > maxBytes) throw tooLarge()
      yield chunk
    }
  } catch (error) {
    throw toOutgoingError(error, url)
  } finally {
    response.destroy()
  }
}

function toOutgoingError(error: unknown, { host }: URL): unknown {
  if (error instanceof OutgoingError) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no response'
  return new OutgoingError('unreachable', `cannot reach ${host}: ${code}`, { cause: error })
}
