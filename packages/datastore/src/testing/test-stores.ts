import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Analytical } from '../analytical/analytical.ts'
import { createClickHouseStore } from '../analytical/clickhouse-store.ts'
import { startEngine, type Engine } from '../analytical/engine/engine.ts'
import { ownSql } from '../analytical/sql.ts'
import { tableDefinition } from '../analytical/table-definition.ts'
import { callsTable } from '../analytical/tables/calls.ts'
import { objectValuesTable } from '../analytical/tables/object-values.ts'

export interface TestStores {
  analytical: Analytical
  dataDir: string
  engine: Engine
  close(): Promise<void>
}

const engineEntry = new URL('../analytical/engine/engine-child.ts', import.meta.url)

/** Real stores in a new temporary folder. */
export async function startTestStores(): Promise<TestStores> {
  const dataDir = await mkdtemp(join(tmpdir(), 'heddle-test-'))
  const engine = await startEngine({ entry: engineEntry, dataDir, memoryLimitBytes: 2e9 })
  const analytical = createClickHouseStore({ target: { engine }, now: () => performance.now(), random: Math.random })
  for (const table of [callsTable, objectValuesTable]) for (const text of tableDefinition('embedded', table)) await analytical.execute(ownSql(text))
  return {
    analytical,
    dataDir,
    engine,
    async close() {
      await analytical.close()
      await engine.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
