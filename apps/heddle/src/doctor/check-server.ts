import type { Connection } from '../connect.ts'
import { readTrace } from '../traces/read-traces.ts'
import { failure, type Finding, ok, warning } from './finding.ts'
import { judgeClock } from './rules.ts'
import { createTestSpan } from './test-span.ts'

const answerLimitMs = 10_000
/** Project of the test span, separate from real traces. */
const testProject = 'local/doctor'

export interface CheckServerDeps {
  connection: Connection
  /** Microseconds since 1970. */
  clock: () => number
}

/** Whether the server answers, agrees about the time, and keeps a span that is sent to it. */
export async function* checkServer(deps: CheckServerDeps): AsyncGenerator<Finding> {
  const { baseUrl } = deps.connection
  const answer = await get(`${baseUrl}/server_info`)
  if (answer instanceof Error) {
    yield warning('Server', `no response from ${baseUrl} (${answer.message})`, 'start it with `heddle serve`, or set --url')
    return
  }
  if (!answer.ok) {
    yield failure('Server', `${baseUrl} responds with status ${answer.status}`, 'check whether another program uses this address')
    return
  }
  yield ok('Server', `responds at ${baseUrl}`)
  const date = Date.parse(answer.headers.get('date') ?? '')
  if (!Number.isNaN(date)) yield judgeClock({ now: deps.clock(), apart: deps.clock() - date * 1_000, other: 'the server' })
  yield await checkTestSpan(deps)
}

async function checkTestSpan({ connection, clock }: CheckServerDeps): Promise<Finding> {
  const span = createTestSpan({ name: 'heddle doctor', now: clock() })
  const sent = await get(`${connection.baseUrl}/otel/v1/traces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${connection.apiKey}`, 'project-id': testProject },
    body: span.body,
  })
  if (sent instanceof Error) return failure('Test span', `could not be sent (${sent.message})`, 'check the log of the server')
  if (sent.status === 401)
    return failure('Test span', 'the API key was rejected', 'set HEDDLE_API_KEY, or point --data-dir at the data folder of this server')
  if (!sent.ok)
    return failure('Test span', `rejected with status ${sent.status}: ${(await sent.text()).slice(0, 200)}`, 'check the log of the server')
  const calls = await readTrace({ client: connection.client, project: testProject }, span.traceId)
  const found = calls.some((call) => call.id === span.spanId)
  if (!found) return failure('Test span', 'accepted, but not found when read back', 'check the log of the server')
  return ok('Test span', `sent to ${testProject} and read back`)
}

async function get(url: string, init: RequestInit = {}): Promise<Response | Error> {
  try {
    return await fetch(url, { ...init, signal: AbortSignal.timeout(answerLimitMs) })
  } catch (error) {
    return error instanceof Error ? rootOf(error) : new Error(String(error))
  }
}

function rootOf(error: Error): Error {
  return error.cause instanceof Error ? error.cause : error
}
