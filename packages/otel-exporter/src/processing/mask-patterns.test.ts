import { expect, test } from 'vitest'
import { textMasks, type MaskPattern } from './mask-patterns.ts'

test.each<[MaskPattern, string, string]>([
  ['keys', 'use sk-proj-abcdefghijklmnopqrst now', 'use [key] now'],
  ['keys', 'ghp_abcdefghijklmnopqrst0123', '[key]'],
  ['keys', 'AKIAIOSFODNN7EXAMPLE', '[key]'],
  ['keys', 'Authorization: Bearer abcdefghijklmnop', 'Authorization: Bearer [key]'],
  ['keys', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl', '[key]'],
  ['keys', '-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----', '[key]'],
  ['keys', 'the task-force and the risk-assessment', 'the task-force and the risk-assessment'],
  ['emails', 'Ada <ada.l+x@mail.example.co.uk>', 'Ada <[email]>'],
  ['emails', 'a @ b', 'a @ b'],
  ['cards', 'card 4111 1111 1111 1111.', 'card [card].'],
  ['cards', 'order 4111 1111 1111 1112', 'order 4111 1111 1111 1112'],
  ['cards', '1800000000000000000', '1800000000000000000'],
  ['phones', 'call +49 30 1234 5678', 'call [phone]'],
  ['phones', 'call (555) 123-4567', 'call [phone]'],
  ['phones', '+4915112345678', '[phone]'],
  ['phones', 'call 555-123-4567 or 030 12345678', 'call [phone] or [phone]'],
  ['phones', '0.25 and 1 800 000', '0.25 and 1 800 000'],
  ['phones', '2026-11-21 10:00', '2026-11-21 10:00'],
  ['ips', 'from 192.168.0.255 to 10.0.0.1', 'from [ip] to [ip]'],
  ['ips', '2001:0db8:85a3:0000:0000:8a2e:0370:7334', '[ip]'],
  ['ips', 'version 1.2.3 of 12:30:45', 'version 1.2.3 of 12:30:45'],
])('%s: %s', (pattern, text, expected) => {
  expect(textMasks[pattern](text)).toBe(expected)
})
