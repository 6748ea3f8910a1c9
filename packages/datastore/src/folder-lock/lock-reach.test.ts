import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { assertLocksReachOthers, findMount, parseMounts } from './lock-reach.ts'

const line = (path: string, type: string, options = 'rw,relatime', ofSuperBlock = 'rw') =>
  `36 35 98:0 / ${path} ${options} master:1 - ${type} source ${ofSuperBlock}`

test('the deepest mount that holds a path is found, and of two at one place the last', () => {
  const mounts = parseMounts(
    [line('/', 'ext4'), line('/data', 'nfs4'), line('/data/in\\040side', 'xfs'), line('/data', 'cifs'), 'no mount'].join('\n'),
  )
  const typeOf = (path: string) => findMount(mounts, path)?.type
  expect(['/', '/database', '/data', '/data/x', '/data/in side/x'].map(typeOf)).toEqual(['ext4', 'ext4', 'cifs', 'cifs', 'xfs'])
})

const check = (mount: (folder: string) => string) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'heddle-mount-')))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const table = join(folder, 'mountinfo')
  writeFileSync(table, `${line('/', 'ext4')}\n${mount(folder)}\n`)
  return assertLocksReachOthers(folder, table)
}

test.each([
  ['nfs', 'nolock'],
  ['nfs4', 'local_lock=all'],
  ['nfs', 'local_lock=posix'],
  ['cifs', 'nobrl'],
])('a folder on %s with %s is refused, with the way out', async (type, option) => {
  await expect(check((folder) => line(folder, type, 'rw', `rw,vers=3,${option},addr=10.0.0.1`))).rejects.toMatchObject({
    kind: 'unavailable',
    message: expect.stringMatching(
      new RegExp(`is on ${type} mounted with ${option}: .*; mount it without that option, or choose .*--data-dir$`),
    ),
  })
})

test.each([
  ['nfs4', 'rw,local_lock=none'],
  ['ext4', 'rw,nobrl'],
  ['overlay', 'rw'],
])('a folder on %s with %s is accepted', async (type, options) => {
  await check((folder) => line(folder, type, 'rw', options))
})

test('where the system does not list its mounts, the folder is accepted', async () => {
  await assertLocksReachOthers(tmpdir(), '/does/not/exist')
})
