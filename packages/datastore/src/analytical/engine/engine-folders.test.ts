import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { mayMakeContainers, readOnlyContainer } from '@heddle/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { chooseSocketPath, makeEngineFolders } from './engine-folders.ts'

let root: string
let memoryMount: string
let temporaryDir: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'heddle-folders-'))
  ;[memoryMount, temporaryDir] = [join(root, 'memory'), join(root, 'temporary')]
  mkdirSync(temporaryDir)
})
afterEach(() => rmSync(root, { recursive: true }))

function make(name: string) {
  const dataDir = join(root, name)
  mkdirSync(dataDir)
  const socketPath = chooseSocketPath(dataDir, temporaryDir)
  const folders = makeEngineFolders({ dataDir, memoryMount, socketPath })
  return { dataDir, socketPath, folders, parents: folders.rowsDirs.map((path) => dirname(path)) }
}

test('rows are spooled in memory before the disk, and the socket is in the data folder', () => {
  mkdirSync(memoryMount)
  const { dataDir, socketPath, folders, parents } = make('data')
  expect(parents).toEqual([memoryMount, dataDir])
  expect(socketPath).toBe(join(dataDir, 'engine.sock'))
  folders.remove()
  expect([readdirSync(memoryMount), readdirSync(dataDir)]).toEqual([[], []])
})

test('without an in-memory mount rows are spooled on the disk alone', () => {
  const { dataDir, folders, parents } = make('data')
  expect(parents).toEqual([dataDir])
  folders.remove()
  expect(readdirSync(dataDir)).toEqual([])
})

test('where no files can be made in memory, rows are spooled on the disk alone', () => {
  writeFileSync(memoryMount, 'not a folder')
  const { dataDir, folders, parents } = make('data')
  expect(parents).toEqual([dataDir])
  folders.remove()
})

test.skipIf(!mayMakeContainers())('a read-only mount of memory is left alone', () => {
  mkdirSync(memoryMount)
  const module = JSON.stringify(import.meta.resolve('./engine-folders.ts'))
  const options = JSON.stringify({ dataDir: root, socketPath: join(root, 'engine.sock'), memoryMount })
  const program = `import(${module}).then(({ makeEngineFolders }) => console.log(makeEngineFolders(${options}).rowsDirs.length))`
  const command = [process.execPath, '--import', import.meta.resolve('tsx'), '--eval', program]
  const [first = '', ...args] = readOnlyContainer(memoryMount).wrap(command)
  expect(execFileSync(first, args, { encoding: 'utf8' })).toBe('1\n')
})

test.each([true, false])('the socket of a long path is in a private temporary folder (files in memory: %s)', (hasMemory) => {
  if (hasMemory) mkdirSync(memoryMount)
  const { dataDir, socketPath, folders, parents } = make('d'.repeat(100))
  expect(parents).toHaveLength(hasMemory ? 2 : 1)
  expect(dirname(dirname(socketPath))).toBe(temporaryDir)
  expect(statSync(dirname(socketPath)).mode & 0o777).toBe(0o700)
  // A restarted engine takes the same path, whether or not the one before it could remove its folder.
  makeEngineFolders({ dataDir, memoryMount, socketPath })
  expect(statSync(dirname(socketPath)).isDirectory()).toBe(true)
  folders.remove()
  expect(readdirSync(temporaryDir)).toEqual([])
})
