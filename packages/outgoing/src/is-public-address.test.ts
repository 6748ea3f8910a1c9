import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isPublicAddress } from './is-public-address.ts'
import { ipv4Text, specialIpv4 } from './testing/addresses.ts'

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '223.255.255.255',
  '2001:4860:4860::8888',
  '2606:4700::1111',
  '2a00::1',
])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

test.each(specialIpv4)('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each([
  '::',
  '::1',
  '::ffff:8.8.8.8',
  '::ffff:808:808',
  '::8.8.8.8',
  '64:ff9b::8.8.8.8',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '2001:db8::1',
  '2002:7f00:1::1',
  '2002:808:808::1',
  '3fff::1',
  '4000::1',
  '5f00::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  '2a00::1%eth0',
  'fec0::1',
  'ff02::1',
  '',
  'localhost',
  '127.1',
  '0177.0.0.1',
  '1.1.1.1 ',
])('%j is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test('no IPv4 address is public inside IPv6, in any form', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), (number) => {
      const text = ipv4Text(number)
      const hex = `${(number >>> 16).toString(16)}:${(number & 0xffff).toString(16)}`
      for (const address of [`::ffff:${text}`, `::ffff:${hex}`, `::${text}`, `64:ff9b::${text}`, `2002:${hex}::1`, `2001:0:${hex}::1`])
        expect([address, isPublicAddress(address)]).toEqual([address, false])
    }),
  )
})
