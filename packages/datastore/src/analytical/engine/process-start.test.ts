import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { expect, onTestFinished, test } from 'vitest'
import { processStart } from './process-start.ts'

const starts = new Map([[7, ' Sun Nov 22 18:45:29 2026\n']])
const askPs = (pid: number): string => {
  const start = starts.get(pid)
  if (start === undefined) throw new Error('ps ended with code 1')
  return start
}

test('with /proc a start time is in clock ticks, whatever the process name contains', () => {
  const procFolder = mkdtempSync(join(tmpdir(), 'heddle-proc-'))
  onTestFinished(() => rmSync(procFolder, { recursive: true }))
  mkdirSync(join(procFolder, '7'))
  writeFileSync(join(procFolder, '7', 'stat'), `7 (a) b (c)) S ${Array.from({ length: 18 }, (_, field) => field).join(' ')} 4711 0 0\n`)
  expect(processStart(7, { procFolder, askPs })).toBe('4711')
  expect(processStart(8, { procFolder, askPs })).toBe('')
})

test('without it, as on macOS, a start time is the one that ps prints', () => {
  const sources = { procFolder: '/does/not/exist', askPs }
  expect(processStart(7, sources)).toBe('Sun Nov 22 18:45:29 2026')
  expect(processStart(8, sources)).toBe('')
})

test('the start time of this process is found and constant', () => {
  expect(processStart(process.pid)).toMatch(/./)
  expect(processStart(process.pid)).toBe(processStart(process.pid))
})
