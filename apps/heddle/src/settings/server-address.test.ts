import { expect, test } from 'vitest'
import { baseUrlOf, isLoopback, namesOf } from './server-address.ts'

test.each([
  ['127.0.0.1', 'http://127.0.0.1:7400', true],
  ['127.9.9.9', 'http://127.9.9.9:7400', true],
  ['localhost', 'http://localhost:7400', true],
  ['::1', 'http://[::1]:7400', true],
  ['0.0.0.0', 'http://127.0.0.1:7400', false],
  ['::', 'http://[::1]:7400', false],
  ['192.168.1.2', 'http://192.168.1.2:7400', false],
  ['127.0.0.1.example', 'http://127.0.0.1.example:7400', false],
])('%s is reached at %s; for this machine alone: %s', (host, url, loopback) => {
  expect(baseUrlOf({ host, port: 7400 })).toBe(url)
  expect(isLoopback(host)).toBe(loopback)
})

test('a server is reached under its base path, unless its whole address is given', () => {
  expect(baseUrlOf({ host: '::', port: 1, basePath: '/heddle' })).toBe('http://[::1]:1/heddle')
  expect(baseUrlOf({ host: '::', port: 1, basePath: '/heddle', url: 'https://heddle.example' })).toBe('https://heddle.example')
})

test('a server for this machine alone answers to names of this machine, and to that of its base URL', () => {
  const names = ['127.0.0.1', 'localhost', '127.0.0.1', '::1']
  expect(namesOf({ host: '127.0.0.1' })).toEqual(names)
  expect(namesOf({ host: '127.0.0.1', url: 'https://Heddle.example:8443/tools/heddle' })).toEqual([...names, 'heddle.example'])
  expect(namesOf({ host: '127.0.0.1', url: 'https://[fd00::1]/heddle' })).toEqual([...names, 'fd00::1'])
  expect(namesOf({ host: '0.0.0.0', url: 'https://heddle.example' })).toBeUndefined()
})
