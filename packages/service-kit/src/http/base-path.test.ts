import { expect, test } from 'vitest'
import { withoutBasePath } from './base-path.ts'

test.each([
  ['/heddle', '/'],
  ['/heddle/', '/'],
  ['/heddle?x=1', '/?x=1'],
  ['/heddle/acme/shop?x=/heddle', '/acme/shop?x=/heddle'],
  ['/heddle/heddle/shop', '/heddle/shop'],
  ['http://heddle.test/heddle/session', 'http://heddle.test/session'],
  ['http://heddle.test/heddle', 'http://heddle.test/'],
  ['/heddler/shop', '/heddler/shop'],
  ['/acme/heddle', '/acme/heddle'],
  ['/HEDDLE/shop', '/HEDDLE/shop'],
  ['*', '*'],
])('the target %s is handled as %s', (target, handled) => {
  expect(withoutBasePath(target, '/heddle')).toBe(handled)
})
