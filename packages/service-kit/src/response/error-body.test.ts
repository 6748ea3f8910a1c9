import { expect, test } from 'vitest'
import { errorResponse, type ServiceLog } from './error-body.ts'

/** The messages that are logged for an error of a request whose client has left, and which ended for this reason. */
function loggedFor(errorOf: (reason: unknown) => unknown, reason: unknown): string[] {
  const logged: string[] = []
  const log: ServiceLog = { info: (_, message) => void logged.push(message), error: (_, message) => void logged.push(message) }
  const request = new Request('http://127.0.0.1/jobs', { signal: AbortSignal.abort(reason) })
  errorResponse(errorOf(request.signal.reason), { operation: 'jobs.list', request, outgoing: undefined, log })
  return logged
}

test.each([
  ['a text, as the server has it', 'Client connection prematurely closed.'],
  ['an error', new DOMException('left', 'AbortError')],
])('work that ends since its client has left is not logged as a failure: the reason is %s', (_, reason) => {
  expect(loggedFor((own) => own, reason)).toEqual([])
  expect(loggedFor(() => new Error('broken'), reason)).toEqual(['operation failed unexpectedly'])
})
