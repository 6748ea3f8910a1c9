import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
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

test('where the output is shown, the terminal also says that a program took too long', async () => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  onTestFinished(() => write.mockRestore())
  await runCommand('sleep 1000', { timeoutMs: 300, show: true })
  expect(write.mock.calls.flat().join('')).toContain('it did not finish within')
})

test('a program that is not there is named', async () => {
  expect(await runCommand(['no-such-program'], { timeoutMs })).toMatchObject({
    code: 127,
    output: expect.stringContaining('no-such-program'),
  })
})

test('a server that npm starts is asked to stop when npm alone is ended', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-npm-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const server =
    "process.once('SIGTERM', () => process.exit(void console.log('stopped'))); setInterval(() => 0, 1000); console.log('ready')"
  const starter = `
    import { endWithNpm } from ${JSON.stringify(new URL('end-with-npm.mjs', import.meta.url))}
    import { runInTerminal } from ${JSON.stringify(new URL('run-command.mjs', import.meta.url))}
    endWithNpm()
    process.exit(await runInTerminal([process.execPath, '-e', ${JSON.stringify(server)}]))`
  writeFileSync(join(folder, 'starter.mjs'), starter)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: { start: 'node starter.mjs' } }))
  const npm = spawn('npm', ['start'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  npm.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    if (text.includes('ready')) npm.kill('SIGTERM')
  })
  // The server holds the output open until it ends.
  await once(npm, 'close')
  expect(output).toMatch(/stopped\n$/)
})
