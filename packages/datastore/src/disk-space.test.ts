import { expect, test } from 'vitest'
import { createDiskSpaceCheck, type DiskSpace } from './disk-space.ts'

/** A check of a disk, with a clock, whose free space the test sets. */
function aDisk(free: number) {
  const disk = { free, nowMs: 0, readings: 0 }
  const read = async (): Promise<DiskSpace> => {
    disk.readings++
    return { free: disk.free, reserve: 100 }
  }
  const assertSpace = createDiskSpaceCheck({ folder: '/data', now: () => disk.nowMs, read })
  return { disk, assertSpace }
}

const full = { kind: 'full', message: 'the disk of the store has 0.0 MiB left, and writes must leave 0.0 MiB free' }

test('while there is space it is read once a second', async () => {
  const { disk, assertSpace } = aDisk(100)
  await assertSpace()
  disk.nowMs = 999
  await assertSpace()
  expect(disk.readings).toBe(1)
  disk.nowMs = 1000
  await assertSpace()
  expect(disk.readings).toBe(2)
})

test('the first write a second after the reserve was touched is refused', async () => {
  const { disk, assertSpace } = aDisk(100)
  await assertSpace()
  disk.free = 99
  disk.nowMs = 999
  await assertSpace()
  disk.nowMs = 1000
  await expect(assertSpace()).rejects.toMatchObject(full)
})

test('a full disk is read for each write, so that the first write after there is room passes', async () => {
  const { disk, assertSpace } = aDisk(99)
  await expect(assertSpace()).rejects.toMatchObject(full)
  await expect(assertSpace()).rejects.toMatchObject(full)
  disk.free = 100
  await assertSpace()
  expect(disk.readings).toBe(3)
})

test('a disk that cannot be read refuses writes with the reason', async () => {
  const read = () => Promise.reject(Object.assign(new Error('EIO: i/o error, statfs'), { code: 'EIO' }))
  await expect(createDiskSpaceCheck({ folder: '/data', now: () => 0, read })()).rejects.toThrow(/data folder/)
})
