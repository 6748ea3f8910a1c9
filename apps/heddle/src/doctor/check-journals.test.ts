import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { checkJournals } from './check-journals.ts'

const damage = {
  format: 1,
  table: 'calls',
  part: 7,
  isCertain: true,
  reason: 'checksum mismatch in a block index entry',
  recovered: { bytes: 2048, blocks: 3, rows: 9 },
  missing: { bytes: 512, blocks: 1, rows: 4 },
}

async function findingsWith(reports: object[]) {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-journals-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const damaged = join(folder, 'engine', 'journal', 'calls', 'damaged')
  if (reports.length > 0) await mkdir(damaged, { recursive: true })
  for (const [index, report] of reports.entries()) await writeFile(join(damaged, `${index}.json`), JSON.stringify(report))
  return { damaged, findings: await checkJournals(folder) }
}

test('undamaged journals pass, and so does a missing folder', async () => {
  expect((await findingsWith([])).findings).toMatchObject([{ state: 'ok' }])
})

test('damage is a failure that says what is missing and where its files are', async () => {
  const { damaged, findings } = await findingsWith([damage])
  expect(findings).toMatchObject([{ state: 'failure' }])
  expect(findings[0]?.detail).toBe(
    `journal 7 of table calls is damaged (checksum mismatch in a block index entry): 512 B, 1 blocks, 4 rows missing, 2 KiB, 3 blocks, 9 rows recovered; the files are kept in ${damaged}`,
  )
})

test('damage to rows that may never have been acknowledged is a warning', async () => {
  const { findings } = await findingsWith([damage, { ...damage, isCertain: false, missing: { bytes: 9 } }])
  expect(findings.map(({ state }) => state)).toEqual(['failure', 'warning'])
})
