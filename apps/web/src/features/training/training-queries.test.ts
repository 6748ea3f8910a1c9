import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => vi.unstubAllGlobals())

test('events that came just before the end of a job are there when it is shown as ended', async () => {
  vi.stubGlobal('window', { location: { origin: 'http://heddle.test' } })
  const { eventsQuery, jobQuery } = await import('./training-queries.ts')
  let status = 'running'
  const answers = (path: string) => {
    if (path.endsWith('/events')) return { data: status === 'running' ? [] : [{ id: 'e1' }], has_more: false }
    return path.includes('/models/') ? { id: 'm' } : { id: 'j', model_id: 'm', status }
  }
  vi.stubGlobal('fetch', async (request: Request | string | URL) => {
    const { pathname } = new URL(request instanceof Request ? request.url : request)
    return Response.json(answers(pathname))
  })
  const queries = new QueryClient()
  await queries.fetchQuery(jobQuery('j'))
  // The page holds its events, and requests more while the job is unfinished.
  const events = new QueryObserver(queries, { ...eventsQuery('j', true), refetchInterval: false })
  const leave = events.subscribe(() => undefined)
  await expect.poll(() => events.getCurrentResult().data).toEqual([])
  status = 'succeeded'
  const { job } = await queries.fetchQuery(jobQuery('j'))
  expect([job.status, events.getCurrentResult().data]).toEqual(['succeeded', [{ id: 'e1' }]])
  leave()
  queries.clear()
})
