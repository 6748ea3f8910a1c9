import { expect, test } from 'vitest'
import { fileProblem } from './file-problem.ts'

test.each([
  ['ENOENT', 'the file /a/b does not exist'],
  ['ENOTDIR', 'the file /a/b does not exist'],
  ['EISDIR', '/a/b is a folder, not training data'],
  ['EACCES', 'the file /a/b cannot be read: permission denied'],
  ['EIO', null],
])('%s is said as %j', (code, problem) => {
  expect(fileProblem(Object.assign(new Error(`${code}: open '/a/b'`), { code }), '/a/b', 'training data')).toBe(problem)
})
