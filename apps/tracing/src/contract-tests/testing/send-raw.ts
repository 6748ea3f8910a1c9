import type { TestServer } from '../../testing/start-test-app.ts'

/** One request as it goes over the wire. */
export interface RawRequest {
  method?: string
  path: string
  /** Text and bytes are sent as they are, everything else as JSON. */
  body?: unknown
  headers?: Record<string, string>
  /** Secret of a key; null sends none. */
  apiKey?: string | null
}

export interface RawAnswer {
  status: number
  headers: Headers
  text: string
  /** The text as JSON; undefined where it is none. */
  body: unknown
}

type Server = Pick<TestServer, 'service' | 'apiKey'>

/** Sends a request that the typed client would not make. With the key of the server unless another is named. */
export async function sendRaw(
  { service, apiKey: ownKey }: Server,
  { method = 'POST', path, body, headers, apiKey = ownKey }: RawRequest,
): Promise<RawAnswer> {
  const credential: Record<string, string> = apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }
  const sent = toBody(body)
  const request = new Request(`http://heddle.test${path}`, {
    method,
    headers: { ...credential, ...(sent !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(sent !== undefined && { body: sent }),
  })
  const response = await service.fetch(request)
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: parsed(text) }
}

function toBody(body: unknown): string | Uint8Array<ArrayBuffer> | undefined {
  if (body === undefined || typeof body === 'string') return body
  return body instanceof Uint8Array ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
