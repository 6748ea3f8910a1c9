import { expect, test } from 'vitest'
import { toStartError } from './start-error.ts'

const configuration = { host: '10.0.0.9', port: 80, dataDir: '/data' }
const systemError = (code: string, syscall: string) => Object.assign(new Error(`${syscall} ${code}`), { code, syscall })

test.each([
  [systemError('EADDRINUSE', 'listen'), /^port 80 on 10\.0\.0\.9 is taken by another program; .*--port/],
  [systemError('EACCES', 'listen'), /^this user may not listen on port 80/],
  [systemError('EADDRNOTAVAIL', 'listen'), /^10\.0\.0\.9 is no address of this machine/],
  [systemError('ENOTFOUND', 'getaddrinfo'), /^the name 10\.0\.0\.9 is not known/],
  [systemError('EMFILE', 'listen'), /^cannot listen on 10\.0\.0\.9, port 80 \(EMFILE\)/],
  [systemError('EACCES', 'mkdir'), /^the data folder \/data cannot be written to/],
  [systemError('ENOTDIR', 'mkdir'), /^the data folder \/data is not a folder/],
  [systemError('ENOSPC', 'write'), /^there is no room left for the data folder \/data/],
  [Object.assign(new Error('folder in use by process 7'), { name: 'StoreError' }), /^folder in use by process 7$/],
])('%s is told with a way out', (error, message) => {
  expect(toStartError(error, configuration)).toMatchObject({ name: 'UsageError', message: expect.stringMatching(message) })
})

test('a fault of ours stays as it is', () => {
  const fault = new TypeError('undefined is not a function')
  expect(toStartError(fault, configuration)).toBe(fault)
})
