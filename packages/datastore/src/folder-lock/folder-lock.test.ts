import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Container, mayMakeContainers, otherContainer, otherHost } from '@heddle/testing'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { type FolderLockOptions, lockFile, lockFolder, toLockFailure } from './folder-lock.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-lock-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

async function lock(mode: FolderLockOptions['mode'] = 'exclusive', at = folder) {
  const taken = await lockFolder({ folder: at, mode, purpose: 'heddle serve' })
  let isReleased = false
  const release = () => {
    if (!isReleased) taken.release()
    isReleased = true
  }
  onTestFinished(release)
  return { ...taken, release }
}

const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
const holder = fileURLToPath(new URL('../testing/lock-holder.ts', import.meta.url))

/** A process that takes the lock; resolves with `held` or with why it was refused. */
async function lockElsewhere({ container, mode = 'exclusive' }: { container?: Container; mode?: string } = {}) {
  const command = [process.execPath, '--import', loader, holder, folder, mode]
  const [program = '', ...args] = container ? container.wrap(command) : command
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [said] = await once(child.stdout, 'data')
  return { said: String(said).trim(), child }
}

test('a folder is created for its owner alone, and so is the file of the lock', async () => {
  await lock('exclusive', join(folder, 'new'))
  expect([statSync(join(folder, 'new')).mode & 0o777, statSync(join(folder, 'new', lockFile)).mode & 0o777]).toEqual([0o700, 0o600])
})

test('a locked folder is refused in this process too, with who has it and the way out', async () => {
  await lock()
  await expect(lock()).rejects.toMatchObject({
    kind: 'unavailable',
    message: expect.stringMatching(
      new RegExp(
        `^data folder ${folder} is in use by process ${process.pid} on host \\S+ \\(heddle serve, since 20.*Z\\); stop .*--data-dir$`,
      ),
    ),
  })
})

test('a refused attempt does not release the lock that this process has', async () => {
  const { isHeld } = await lock()
  await expect(lock()).rejects.toThrow('in use')
  expect((await lockElsewhere()).said).toContain('in use')
  expect(await isHeld()).toBe(true)
})

test('a released lock can be taken, and leaves its file, which another process may be opening', async () => {
  const first = await lock()
  first.release()
  expect(existsSync(join(folder, lockFile))).toBe(true)
  await lock()
})

describe.skipIf(!mayMakeContainers()).each([otherHost, otherContainer])('in a container with $name', (container) => {
  test('a process is refused by the lock', async () => {
    await lock()
    expect((await lockElsewhere({ container })).said).toMatch(/in use by process \d+ on host/)
  })

  test('the lock of a process counts outside, and ends when the process is killed', async () => {
    const { said, child } = await lockElsewhere({ container })
    expect(said).toBe('held')
    await expect(lock()).rejects.toThrow('on host other')
    child.kill('SIGKILL')
    await once(child, 'close')
    // The kernel ends what is in the container a moment later.
    await expect.poll(() => lock().then(() => 'held', String)).toBe('held')
  })
})

test('a killed process has no lock', async () => {
  const { child } = await lockElsewhere()
  child.kill('SIGKILL')
  await once(child, 'close')
  await lock()
})

test('of processes that start at once exactly one has the folder', async () => {
  const all = await Promise.all(Array.from({ length: 6 }, () => lockElsewhere()))
  const said = all.map((each) => each.said)
  expect(said.filter((each) => each === 'held')).toHaveLength(1)
  expect(said.filter((each) => each.includes('in use'))).toHaveLength(5)
})

test('shared locks exclude exclusive ones, and not each other', async () => {
  const first = await lock('shared')
  const second = await lock('shared')
  expect((await lockElsewhere({ mode: 'shared' })).said).toBe('held')
  expect((await lockElsewhere()).said).toContain('in use')
  first.release()
  second.release()
})

test('an exclusive lock refuses shared ones', async () => {
  await lock()
  expect((await lockElsewhere({ mode: 'shared' })).said).toContain('in use')
})

test('a folder that was moved away is no longer held', async () => {
  const moving = join(folder, 'moving')
  const { isHeld } = await lock('exclusive', moving)
  expect(await isHeld()).toBe(true)
  await rename(moving, join(folder, 'moved'))
  expect(await isHeld()).toBe(false)
  await lock('exclusive', moving)
  expect(await isHeld()).toBe(false)
})

test.each(['', '{"pid":', '{"pid":"1"}', '[]', 'null'])('a note of the holder that says %j is not quoted', async (text) => {
  await lock()
  writeFileSync(join(folder, 'folder.lock.json'), text)
  await expect(lock()).rejects.toThrow('is in use by another process (or its file system has no locks left')
})

test('the note says who has the folder, and no more', async () => {
  await lock()
  expect(Object.keys(JSON.parse(readFileSync(join(folder, 'folder.lock.json'), 'utf8')))).toEqual(['pid', 'host', 'purpose', 'since'])
})

test('a file system without locks is named as the cause, with the way out', () => {
  const error = toLockFailure(Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_LOCK' }), '/data')
  expect(error).toMatchObject({
    kind: 'unavailable',
    message: expect.stringMatching(/^cannot lock data folder \/data \(SQLITE_IOERR_LOCK\): .*--data-dir$/),
  })
  const fault = new TypeError('no')
  expect(toLockFailure(fault, '/data')).toBe(fault)
})

test('releasing a lock again does nothing, and the folder can be locked by others', async () => {
  const first = await lockFolder({ folder, mode: 'exclusive', purpose: 'heddle serve' })
  first.release()
  first.release()
  const second = await lock()
  first.release()
  expect(await second.isHeld()).toBe(true)
})
