import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mayMakeContainers, readOnlyContainer } from '@heddle/testing'
import { expect, onTestFinished, test } from 'vitest'
import { dataFolderKey, folderNames, unpackFolder } from '../testing/data-folders/data-folder.ts'
import { startInContainer } from '../testing/run-command.ts'

test.skipIf(!mayMakeContainers())(
  'doctor does not report damage or suggest a backup for a read-only data folder',
  { timeout: 120_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'heddle-read-only-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    unpackFolder(folderNames[0] ?? '', folder)
    const environment = { HEDDLE_DATA_DIR: join(folder, 'data'), HEDDLE_API_KEY: dataFolderKey, HEDDLE_PORT: '9' }
    const doctor = startInContainer(readOnlyContainer(folder), ['doctor', '--quick'], environment)
    expect(await doctor.ended).toBe(1)
    expect(doctor.out()).toContain(`✗ Data folder: ${join(folder, 'data')} is on a read-only file system`)
    for (const name of ['Records', 'Tables', 'Contents']) expect(doctor.out()).toContain(`! ${name}: not checked`)
    expect(doctor.out()).not.toMatch(/backup|damage\.md|could not be checked/)
  },
)
