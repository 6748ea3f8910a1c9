import { type Operation, tracing, training } from '@heddle/core-api'

export interface FakeRequest {
  /** As `trainingJobs.read`. */
  operation: string
  params: Record<string, string>
  query: Record<string, string>
  body: Record<string, unknown>
  headers: Headers
}

/** The answer of an operation: a value, or lines of a stream; a `Response` for anything else. */
export type FakeAnswer = (request: FakeRequest) => unknown

/** Services as one `fetch`: each request is matched with the contract, so that tools cannot ask for what no service answers. */
export function fakeServices(answers: Readonly<Record<string, FakeAnswer>>): typeof fetch & { requests: FakeRequest[] } {
  const operations = [tracing, training].flatMap((contract) =>
    Object.entries(contract).flatMap(([resource, list]) =>
      Object.entries(list as Record<string, Operation>).map(([key, operation]) => ({ name: `${resource}.${key}`, operation })),
    ),
  )
  const requests: FakeRequest[] = []
  const send = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    init.signal?.throwIfAborted()
    const url = new URL(input instanceof Request ? input.url : input)
    for (const { name, operation } of operations) {
      const params = operation.method === init.method ? matchPath(operation.path, url.pathname) : undefined
      const answer = answers[name]
      if (!params || !answer) continue
      const body = typeof init.body === 'string' ? (JSON.parse(init.body) as Record<string, unknown>) : {}
      const request = { operation: name, params, query: Object.fromEntries(url.searchParams), body, headers: new Headers(init.headers) }
      requests.push(request)
      const value = await answer(request)
      if (value instanceof Response) return value
      return operation.stream
        ? new Response((value as unknown[]).map((line) => `${JSON.stringify(line)}\n`).join(''))
        : Response.json(value)
    }
    return Response.json({ detail: `no ${init.method} ${url.pathname} here` }, { status: 404 })
  }
  return Object.assign(send, { requests })
}

function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const [wanted, given] = [pattern.split('/'), path.split('/')]
  if (wanted.length !== given.length) return undefined
  const params: Record<string, string> = {}
  for (const [at, segment] of wanted.entries()) {
    if (segment.startsWith('{')) params[segment.slice(1, -1)] = decodeURIComponent(given[at] ?? '')
    else if (segment !== given[at]) return undefined
  }
  return params
}
