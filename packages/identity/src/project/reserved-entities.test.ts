import { tracing, type Operation } from '@heddle/core-api'
import { expect, test } from 'vitest'
import { isReservedEntity } from './reserved-entities.ts'

const operations = Object.values(tracing).flatMap((resource): Operation[] => Object.values(resource))
const paths = operations.flatMap((operation) => [operation.path, ...(operation.aliases ?? [])])

test('the first segment of every path of the service is reserved', () => {
  const words = new Set(paths.map((path) => path.split('/')[1] ?? ''))
  expect([...words].filter((word) => !isReservedEntity(word))).toEqual([])
})

test('other words are not reserved', () => {
  expect(['acme', 'local', 'my-team', 'toString'].filter(isReservedEntity)).toEqual([])
})
