import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { readAgain } from './read-again.ts'

test('what is shown after a write was read after it, also where the first load was under way', async () => {
  const queries = new QueryClient()
  const answers: ((notes: string[]) => void)[] = []
  const queryFn = () => new Promise<string[]>((resolve) => answers.push(resolve))
  const observer = new QueryObserver(queries, { queryKey: ['notes', 1], queryFn, retry: false })
  const unsubscribe = observer.subscribe(() => undefined)
  const isReadAgain = readAgain(queries, ['notes'])
  await expect.poll(() => answers.length).toBe(2)
  answers[0]?.([])
  answers[1]?.(['the new note'])
  await isReadAgain
  expect(observer.getCurrentResult().data).toEqual(['the new note'])
  unsubscribe()
  queries.clear()
})
