import { expect, test } from 'vitest'
import { toStartError } from './start-error.ts'

const configuration = { host: '10.0.0.9', port: 80, dataDir: '/data' }
const systemError = (code: string, syscall: string) => Object.assign(new Error(`${syscall} ${code}`), { code, syscall })

test.each([
  [systemError('EADDRINUSE', 'listen'), /^port 80 on 10\.0\.0\.9 is already in use; .*--port/],
  [systemError('EACCES', 'listen'), /^no permission to listen on port 80/],
  [systemError('EADDRNOTAVAIL', 'listen'), /^10\.0\.0\.9 is not an address of this machine/],
  [systemError('ENOTFOUND', 'getaddrinfo'), /^cannot resolve host name 10\.0\.0\.9/],
  [systemError('EMFILE', 'listen'), /^cannot listen on 10\.0\.0\.9, port 80 \(EMFILE\)/],
  [systemError('EACCES', 'mkdir'), /^cannot write to data folder \/data/],
  [systemError('ENOTDIR', 'mkdir'), /^data folder \/data is not a folder/],
  [systemError('ENOSPC', 'write'), /^no space left on the disk of data folder \/data/],
  [Object.assign(new Error('folder in use by process 7'), { name: 'StoreError' }), /^folder in use by process 7$/],
])('%s becomes a message that says what to do', (error, message) => {
  expect(toStartError(error, configuration)).toMatchObject({ name: 'UsageError', message: expect.stringMatching(message) })
})

test('an unexpected error is passed through unchanged', () => {
  const fault = new TypeError('undefined is not a function')
  expect(toStartError(fault, configuration)).toBe(fault)
})
