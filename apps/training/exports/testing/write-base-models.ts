import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { familyAdapter, trainedFamilies, writeFamily } from '../../src/model-export/testing/trained-families.ts'

/** Writes a small base model of each family for the Python tests, into the folder that is the argument. */
const folder = process.argv[2]!
mkdirSync(folder, { recursive: true })
const settings = { adapter: familyAdapter }
for (const name of Object.keys(trainedFamilies)) {
  const base = join(folder, name)
  writeFamily(base, name)
  writeFileSync(join(base, 'heddle.json'), JSON.stringify(settings))
}
