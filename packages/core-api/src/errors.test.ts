import { expect, test } from 'vitest'
import { ApiError, errorStatus, invalid, isApiError, tooManyRequests, type ErrorCode } from './errors.ts'

test.each(Object.entries(errorStatus))('%s has status %d', (code, status) => {
  expect(new ApiError(code as ErrorCode, 'r').status).toBe(status)
})

test('an error of another copy of the package is recognised by its mark', () => {
  expect(isApiError({ [Symbol.for('heddle.ApiError')]: true })).toBe(true)
  expect(isApiError(new Error('x'))).toBe(false)
  expect(isApiError(null)).toBe(false)
})

test('a refused request says where and what first', () => {
  const issues = [{ loc: ['body', 'batch', 0, 'id'], msg: 'Field required', type: 'missing' }]
  expect(invalid(issues)).toMatchObject({ code: 'invalid', message: 'body.batch.0.id: Field required', issues })
})

test('too many requests say when to come back', () => {
  expect(tooManyRequests('slow down', 3)).toMatchObject({ status: 429, retryAfterSeconds: 3 })
})
