import { expect, test } from 'vitest'
import { plainHttpWarning } from './plain-http.ts'

test.each(['127.0.0.1', '127.1.2.3', 'localhost', '::1'])('a server on %s is reached by this machine alone', (host) => {
  expect(plainHttpWarning({ host, url: undefined })).toBeUndefined()
})

test.each(['0.0.0.0', '::', '10.0.0.5', 'heddle.example'])('a server on %s is warned of, with the way to TLS', (host) => {
  for (const url of [undefined, 'http://heddle.example'])
    expect(plainHttpWarning({ host, url })).toMatch(
      new RegExp(
        `^${host.replaceAll('.', '\\.')} is reachable by other machines without TLS: .* in clear text\\. .*--url .*docs/security\\.md$`,
      ),
    )
})

test('behind a proxy with TLS only the way around it is warned of', () => {
  expect(plainHttpWarning({ host: '0.0.0.0', url: 'https://heddle.example' })).toBe(
    '0.0.0.0 is reachable without TLS: let only the proxy of https://heddle.example connect to it, by a firewall or by --host 127.0.0.1 on its machine',
  )
})
