import type { IncomingMessage } from 'node:http'

/** A parsed request: statement, parameters, settings. */
export interface EngineRequest {
  /** Statement from the URL; undefined when it is in the body. */
  query: string | undefined
  /** Parameter values by name, without the prefix `param_`. */
  params: Map<string, string>
  settings: Map<string, string>
  /** The response may start before the statement has finished. */
  isStreamed: boolean
}

/** An invalid request. */
export class BadRequest extends Error {
  override readonly name = 'BadRequest'
  /** ClickHouse error code. */
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

const paramName = /^[a-z][a-z0-9_]{0,30}$/
/** Query fields that are ignored: they only matter to a server with users and logs. */
const ignored = new Set(['query_id', 'database', 'session_id', 'enable_http_compression', 'send_progress_in_http_headers'])

/** Parses the fields of a URL or of a form. */
export function readFields(fields: Iterable<[string, string]>): EngineRequest {
  const request: EngineRequest = { query: undefined, params: new Map(), settings: new Map(), isStreamed: false }
  for (const [name, value] of fields) {
    if (name === 'query') request.query = value
    else if (name.startsWith('param_')) addParam(request.params, name.slice(6), value)
    else if (name === 'wait_end_of_query') request.isStreamed = value === '0'
    else if (!ignored.has(name)) request.settings.set(name, value)
  }
  return request
}

function addParam(params: Map<string, string>, name: string, value: string): void {
  if (!paramName.test(name)) throw new BadRequest(36, `parameter name ${JSON.stringify(name)} does not match ${paramName.source}`)
  params.set(name, value)
}

/** Reads a complete body. @throws BadRequest when it is longer than `maxBytes`. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length
    if (size > maxBytes) throw new BadRequest(307, `body is longer than ${maxBytes} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** Text fields of a multipart form, as the client writes it; undefined for any other content type. */
export function parseForm(contentType: string | undefined, body: Buffer): [string, string][] | undefined {
  const boundary = /^multipart\/form-data;\s*boundary="?([^";]+)"?$/i.exec(contentType ?? '')?.[1]
  if (boundary === undefined) return undefined
  const parts = body.toString('utf8').split(`--${boundary}`).slice(1, -1)
  return parts.map((part) => {
    const headerEnd = part.indexOf('\r\n\r\n')
    const name = /name="([^"]*)"/.exec(part.slice(0, headerEnd))?.[1]
    if (headerEnd < 0 || name === undefined) throw new BadRequest(36, 'a part of the form has no name')
    return [name, part.slice(headerEnd + 4, -2)]
  })
}
