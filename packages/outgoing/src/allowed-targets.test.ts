import { expect, test } from 'vitest'
import { parseAllowedTargets } from './allowed-targets.ts'

const permits = (entry: string, host: string, port: number, address: string) =>
  parseAllowedTargets([entry]).permits({ host, port, address })

test.each<[entry: string, host: string, port: number, address: string, permitted: boolean]>([
  ['models.internal', 'models.internal', 80, '10.0.0.1', true],
  ['Models.Internal', 'models.internal', 80, '10.0.0.1', true],
  ['models.internal', 'other.internal', 80, '10.0.0.1', false],
  ['models.internal', 'x.models.internal', 80, '10.0.0.1', false],
  ['models.internal:8000', 'models.internal', 8000, '10.0.0.1', true],
  ['models.internal:8000', 'models.internal', 80, '10.0.0.1', false],
  ['10.0.0.0/8', 'any.name', 80, '10.255.0.1', true],
  ['10.0.0.0/8', 'any.name', 80, '11.0.0.1', false],
  ['10.0.0.0/8', 'any.name', 80, '::ffff:10.0.0.1', false],
  ['127.0.0.1', '127.0.0.1', 80, '127.0.0.1', true],
  ['127.0.0.1', 'rebound.test', 80, '127.0.0.1', true],
  ['127.0.0.1:7400', '127.0.0.1', 7401, '127.0.0.1', false],
  ['::1', '::1', 80, '::1', true],
  ['[::1]:80', '::1', 80, '::1', true],
  ['[::1]:80', '::1', 81, '::1', false],
  ['fd00::/8', 'x', 80, 'fd12::1', true],
  ['fd00::/8', 'x', 80, 'fe80::1%eth0', false],
])('%s permits %s:%i at %s: %s', (entry, host, port, address, permitted) => {
  expect(permits(entry, host, port, address)).toBe(permitted)
})

test('an empty list permits nothing', () => {
  expect(parseAllowedTargets([]).permits({ host: 'localhost', port: 80, address: '127.0.0.1' })).toBe(false)
})

test.each([
  '',
  ' ',
  'http://host',
  'host:99999',
  '10.0.0.0/33',
  '10.0.0/8',
  'fd00::/129',
  '*.internal',
  'user@host',
  '[host]:80',
  'a b',
  '/8',
  '-x',
])('%j is refused', (entry) => {
  expect(() => parseAllowedTargets([entry])).toThrow(`${JSON.stringify(entry)} is not a host`)
})

test('a host that the operator wrote is known by its name, with whatever port, and one in a subnet is not', () => {
  const { names } = parseAllowedTargets(['Models.internal:8000', '10.0.0.0/8', '192.168.0.1'])
  expect(['models.internal', '10.0.0.1', '192.168.0.1', 'internal'].map(names)).toEqual([true, false, true, false])
})
