import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { takeScratchFolder } from './scratch-folder.ts'

test('servers that share a data folder have a scratch folder each, and that of a server that has ended is taken over', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'heddle-scratch-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const [first, second] = [await takeScratchFolder(dataDir), await takeScratchFolder(dataDir)]
  expect([first.path, second.path]).toEqual([join(dataDir, 'scratch', 'training'), join(dataDir, 'scratch', 'training-2')])
  first.release()
  const third = await takeScratchFolder(dataDir)
  expect(third.path).toBe(first.path)
  for (const folder of [second, third]) folder.release()
})
