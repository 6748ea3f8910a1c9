import { expect, test } from 'vitest'
import { runCommand } from './run-command.mjs'

const timeoutMs = 20_000

test('a program gives its exit code and all that it said', async () => {
  const script = "console.log('out'); console.error('err'); process.exitCode = 3"
  const result = await runCommand([process.execPath, '-e', script], { timeoutMs })
  expect(result).toMatchObject({ code: 3, interrupted: false })
  expect(result.output.split('\n').sort()).toEqual(['err', 'out'])
})

test('a text is a line for the shell, with the tools of the project on PATH', async () => {
  expect(await runCommand('false || command -v pnpm', { timeoutMs })).toMatchObject({
    code: 0,
    output: expect.stringMatching(/node_modules\/\.bin\/pnpm$/),
  })
})

test('only the last 2 MB of a long output are kept', async () => {
  const script = "for (let i = 0; i < 64; i++) process.stdout.write('x'.repeat(65536)); process.stdout.write('end')"
  const { output } = await runCommand([process.execPath, '-e', script], { timeoutMs })
  expect(output.length).toBeLessThanOrEqual(2 * 1024 * 1024)
  expect(output.endsWith('end')).toBe(true)
})

test('a program that takes too long is ended together with what it started', async () => {
  // The inner one holds the output open: an answer means that it has ended, too.
  const result = await runCommand('sleep 1000 & wait', { timeoutMs: 300 })
  expect(result).toMatchObject({ code: 124, output: expect.stringContaining('it did not finish within') })
})

test('a program that is not there is named', async () => {
  expect(await runCommand(['no-such-program'], { timeoutMs })).toMatchObject({
    code: 127,
    output: expect.stringContaining('no-such-program'),
  })
})
