import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DataDirLocked, lockDataDir } from './engine-lock.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-lock-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function leaveLock(over: object): void {
  const holder = { pid: process.ppid, startedTicks: '', parentPid: 1, host: hostname(), ...over }
  writeFileSync(join(folder, 'engine.lock'), JSON.stringify(holder))
}

test('a released lock leaves nothing in the folder', () => {
  lockDataDir(folder)()
  expect(readdirSync(folder)).toEqual([])
})

test.each([
  ['a dead process', { pid: 2 ** 22 + 1 }],
  ['a living process that has only the pid in common', { startedTicks: 'another start' }],
  ['another machine, where pids say nothing', { host: 'another-host' }],
])('a lock of %s is taken over', (_, holder) => {
  leaveLock(holder)
  const unlock = lockDataDir(folder)
  expect(readdirSync(folder)).toEqual(['engine.lock'])
  unlock()
})

test('a truncated lock file is taken over', () => {
  writeFileSync(join(folder, 'engine.lock'), '{"pid":')
  lockDataDir(folder)()
})

test('a lock names the server, whatever its parent process is now', () => {
  const unlock = lockDataDir(folder, 4_242)
  expect(JSON.parse(readFileSync(join(folder, 'engine.lock'), 'utf8'))).toMatchObject({ pid: process.pid, parentPid: 4_242 })
  unlock()
})

test('a missing folder is created for its owner alone', () => {
  lockDataDir(join(folder, 'new'))()
  expect(readdirSync(folder)).toEqual(['new'])
})

test('the refusal has its own error class', () => {
  expect(new DataDirLocked('in use', true)).toMatchObject({ name: 'DataDirLocked', holderIsOrphan: true })
})
