import { expect, test } from 'vitest'
import { readCredential } from './credentials.ts'

const basic = (pair: string) => `Basic ${btoa(pair)}`

test.each<[string, Record<string, string>, string | undefined]>([
  ['the password of Basic', { authorization: basic('api:k1') }, 'k1'],
  ['any user name', { authorization: basic('someone else:k1') }, 'k1'],
  ['a password with colons', { authorization: basic('api:a:b:c') }, 'a:b:c'],
  ['a scheme in any case', { authorization: basic('api:k1').replace('Basic', 'bASIC') }, 'k1'],
  ['a bearer token', { authorization: 'Bearer k2' }, 'k2'],
  ['the header of its own', { 'wandb-api-key': 'k3' }, 'k3'],
  ['the header of clients of Messages', { 'x-api-key': 'k3' }, 'k3'],
  ['Authorization before the other header', { authorization: 'Bearer k2', 'wandb-api-key': 'k3' }, 'k2'],
  ['the session cookie', { cookie: 'a=1; heddle_session=hs_4; b=2' }, 'hs_4'],
  ['a header before the cookie', { cookie: 'heddle_session=hs_4', 'wandb-api-key': 'k3' }, 'k3'],
  ['a broken header, whatever the cookie says', { cookie: 'heddle_session=hs_4', authorization: 'Digest k1' }, undefined],
  ['an empty session cookie', { cookie: 'heddle_session=' }, undefined],
  ['a cookie whose name ends like it', { cookie: 'xheddle_session=hs_4' }, undefined],
  ['no header', {}, undefined],
  ['an empty password', { authorization: basic('api:') }, undefined],
  ['no colon', { authorization: basic('k1') }, undefined],
  ['no value', { authorization: 'Basic' }, undefined],
  ['another scheme', { authorization: 'Digest k1' }, undefined],
  ['text that is not base64', { authorization: 'Basic %%%' }, undefined],
  ['too long a value', { authorization: `Bearer ${'k'.repeat(5_000)}` }, undefined],
])('%s', (_name, headers, expected) => {
  expect(readCredential(new Headers(headers))).toBe(expected)
})
