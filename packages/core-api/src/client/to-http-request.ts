import type { FilePart } from '../operation.ts'
import type { Route } from '../routes/route.ts'
import { assertFiniteNumbers, assertFiniteOptions } from './finite-numbers.ts'

/** The part of a request that does not depend on the server: what `fetch` needs besides the address and the credential. */
export interface HttpRequest {
  method: string
  /** Path and query, beginning with `/`. */
  path: string
  headers: Record<string, string>
  /** Can be sent again by a retry: none of these is consumed. */
  body: string | FormData | Uint8Array<ArrayBuffer> | Blob | undefined
}

type Input = Readonly<Record<string, unknown>>

/**
 * Splits the flat input of an operation into path, query, headers and body. Everything else is sent in a JSON body.
 * @throws TypeError when a path parameter is missing or empty, or a number of a JSON body is not finite; RangeError for such a number elsewhere.
 */
export function toHttpRequest(route: Route, input: Input, stringify: (value: unknown) => string): HttpRequest {
  const headers = pick(route.headers, input)
  for (const names of [route.params, route.query, route.headers, route.multipart])
    assertFiniteOptions(Object.fromEntries(pick(names, input)))
  const body = toBody(route, input, stringify)
  return {
    method: route.method,
    path: fillPath(route.path, input) + toSearch(pick(route.query, input)),
    headers: {
      ...Object.fromEntries(headers.map(([name, value]) => [name, String(value)])),
      accept: toAccept(route),
      ...(body.type === undefined ? {} : { 'content-type': body.type }),
    },
    body: body.content,
  }
}

function pick(names: readonly string[] | undefined, input: Input): [string, unknown][] {
  return (names ?? []).flatMap((key) => (input[key] === undefined || input[key] === null ? [] : [[key, input[key]]]))
}

function fillPath(path: string, input: Input): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = input[name]
    // A URL parser would remove a dot segment and send the request to another route.
    if (value === undefined || value === null || typeof value === 'object' || value === '' || value === '.' || value === '..') {
      throw new TypeError(`path parameter "${name}" of ${path} must be text other than "", "." and "..", got ${JSON.stringify(value)}`)
    }
    return encodeURIComponent(String(value))
  })
}

function toSearch(entries: [string, unknown][]): string {
  const search = new URLSearchParams()
  for (const [key, value] of entries) {
    for (const item of Array.isArray(value) ? value : [value]) search.append(key, String(item))
  }
  const text = search.toString()
  return text === '' ? '' : `?${text}`
}

function toAccept(route: Route): string {
  if (route.stream) return 'application/jsonl'
  return route.output === 'bytes' ? '*/*' : 'application/json'
}

interface Body {
  type?: string
  content: HttpRequest['body']
}

function toBody(route: Route, input: Input, stringify: (value: unknown) => string): Body {
  if (route.bytes) {
    const type = input['content_type'] ?? route.bytes[0] ?? 'application/octet-stream'
    return { type: String(type), content: input['bytes'] as Uint8Array<ArrayBuffer> | Blob }
  }
  // fetch writes the content type of a form itself, with its boundary.
  if (route.multipart) return { content: toForm(pick(route.multipart, input), input['files'] as FilePart[] | undefined) }
  if (!route.body) return { content: undefined }
  const elsewhere = new Set([route.params, route.query, route.headers].flatMap((names) => names ?? []))
  const isInBody = ([key]: [string, unknown]): boolean => !elsewhere.has(key)
  const fields = Object.fromEntries(Object.entries(input).filter(isInBody))
  const content = stringify(fields)
  assertFiniteNumbers(fields)
  return { type: 'application/json', content }
}

function toForm(fields: [string, unknown][], files: readonly FilePart[] = []): FormData {
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, String(value))
  for (const file of files) {
    const blob = new Blob([file.bytes as Uint8Array<ArrayBuffer>], { type: file.content_type ?? 'application/octet-stream' })
    if (file.filename === undefined) form.append(file.field, blob)
    else form.append(file.field, blob, file.filename)
  }
  return form
}
