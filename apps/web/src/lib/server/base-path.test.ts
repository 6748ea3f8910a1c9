import { expect, test } from 'vitest'
import { addressOf, basePath, pathBelow, pathOnServer } from './base-path.ts'

test.each([
  ['/tools/heddle', '/'],
  ['/tools/heddle/', '/'],
  ['/tools/heddle/acme/shop/calls', '/acme/shop/calls'],
  ['/tools/heddle/tools/heddle', '/tools/heddle'],
  ['/tools/heddler/shop', undefined],
  ['/acme/tools/heddle', undefined],
  ['/', undefined],
])('below /tools/heddle, the address %s is the path %s of the server', (pathname, path) => {
  expect(pathBelow('/tools/heddle', pathname)).toBe(path)
})

test.each(['/', '/acme/shop', '/tools/heddle'])('at the root, the address %s is that path of the server', (pathname) => {
  expect(pathBelow('', pathname)).toBe(pathname)
})

test('a page that names no base path is at the root', () => {
  expect([basePath, addressOf('/acme/shop'), pathOnServer('/acme/shop')]).toEqual(['', '/acme/shop', '/acme/shop'])
})
