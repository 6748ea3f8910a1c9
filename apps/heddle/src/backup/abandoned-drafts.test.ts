import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lockFolder } from '@heddle/datastore'
import { expect, onTestFinished, test } from 'vitest'
import { checkDrafts } from '../doctor/check-drafts.ts'
import { draftOf, findAbandonedDrafts, removeAbandonedDrafts } from './abandoned-drafts.ts'

async function aDataDir() {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-drafts-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return join(folder, 'data')
}

function aDraft(path: string): string {
  mkdirSync(join(path, 'engine'), { recursive: true })
  writeFileSync(join(path, 'engine', 'large'), 'half of a table')
  return path
}

test('what a killed restore left is found and removed, and a restore that runs, other folders and the data folder are left alone', async () => {
  const dataDir = await aDataDir()
  const killed = aDraft(draftOf(dataDir, randomUUID()))
  const running = aDraft(draftOf(dataDir, randomUUID()))
  const others = [dataDir, `${dataDir}.restoring-by-hand`, draftOf(`${dataDir}2`, randomUUID()), `${dataDir}.old`].map(aDraft)
  const lock = await lockFolder({ folder: running, mode: 'exclusive', purpose: 'heddle restore' })
  onTestFinished(() => lock.release())
  expect(await findAbandonedDrafts(dataDir)).toEqual([killed])
  const findings = []
  for await (const finding of checkDrafts(dataDir)) findings.push(finding)
  expect(findings).toEqual([
    { name: 'Restore', state: 'warning', detail: expect.stringContaining(killed), remedy: expect.stringContaining('remove') },
  ])
  expect(existsSync(killed)).toBe(true)
  expect(await removeAbandonedDrafts(dataDir)).toEqual([killed])
  expect(existsSync(killed)).toBe(false)
  for (const path of [running, ...others]) expect(existsSync(join(path, 'engine', 'large'))).toBe(true)
  expect(await findAbandonedDrafts(dataDir)).toEqual([])
})

test('a data folder without a folder above it has no drafts', async () => {
  expect(await findAbandonedDrafts(join(await aDataDir(), 'none', 'data'))).toEqual([])
})
