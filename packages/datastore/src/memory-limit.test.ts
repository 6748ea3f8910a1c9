import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { totalmem, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readMemoryLimit } from './memory-limit.ts'

const machineBytes = 16e9

/** What the kernel would show: the groups of the process, and files below the mount. */
function read(groups: string, files: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-cgroup-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'self'), groups)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, 'mount', path)), { recursive: true })
    writeFileSync(join(folder, 'mount', path), `${text}\n`)
  }
  const { bytes, cgroup } = readMemoryLimit({ cgroupFile: join(folder, 'self'), mount: join(folder, 'mount'), machineBytes })
  return [bytes, cgroup?.slice(join(folder, 'mount').length)]
}

test.each<[string, string, Record<string, string>, [number, string | undefined]]>([
  ['a group of version 2', '0::/app\n', { 'app/memory.max': '2000000000' }, [2e9, '/app']],
  ['the smallest around it', '0::/pod/app\n', { 'pod/memory.max': '1000000000', 'pod/app/memory.max': '2000000000' }, [1e9, '/pod']],
  ['a parent of a group without a limit', '0::/pod/app\n', { 'pod/memory.max': '1000000000', 'pod/app/memory.max': 'max' }, [1e9, '/pod']],
  ['a container that sees itself as the root', '0::/\n', { 'memory.max': '3000000000' }, [3e9, '/']],
  ['a container whose group has the path of the machine', '0::/kubepods/pod1/abc\n', { 'memory.max': '3000000000' }, [3e9, '/']],
  ['a container whose group is outside its root', '0::/../../other\n', { 'memory.max': '3000000000' }, [3e9, '/']],
  ['a group of version 1', '9:cpu:/app\n4:memory:/app\n', { 'memory/app/memory.limit_in_bytes': '2000000000' }, [2e9, '/memory/app']],
  [
    'a nested group of version 1',
    '4:hugetlb,memory:/docker/abc/in\n',
    { 'memory/docker/abc/memory.limit_in_bytes': '600000000', 'memory/docker/abc/in/memory.limit_in_bytes': '9223372036854771712' },
    [6e8, '/memory/docker/abc'],
  ],
  [
    'both versions beside each other',
    '4:memory:/app\n0::/app\n',
    { 'memory/app/memory.limit_in_bytes': '2000000000' },
    [2e9, '/memory/app'],
  ],
  ['a limit beyond the machine', '0::/app\n', { 'app/memory.max': '99000000000' }, [machineBytes, undefined]],
  ['no limit', '0::/app\n', { 'app/memory.max': 'max' }, [machineBytes, undefined]],
  ['a system without control groups', '', {}, [machineBytes, undefined]],
  ['files that hold something else', 'x\n0::/app\n', { 'app/memory.max': '-1' }, [machineBytes, undefined]],
])('%s', (_, groups, files, expected) => {
  expect(read(groups, files)).toEqual(expected)
})

test('this process has a limit no larger than the machine', () => {
  const { bytes, machineBytes: machine } = readMemoryLimit()
  expect([bytes > 0, bytes <= machine, machine]).toEqual([true, true, totalmem()])
})
