import { bind, sql, tracesTable } from '@heddle/datastore'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aCall, newId, record } from '../../../contract-tests/testing/call-builders.ts'
import { startTestApp, type TestApp } from '../../../testing/start-test-app.ts'
import { compareTraces } from './compare-traces-store.sql.ts'
import { rebuildTraces } from './rebuild-traces-store.sql.ts'

let app: TestApp
beforeAll(async () => {
  // It reads whole tables.
  app = await startTestApp({ own: {} })
})
afterAll(() => app.close())

const range = { start: '2026-03-01T00:00:00Z', end: '2026-03-02T00:00:00Z' }

test('what is derived can be dropped and computed again, and rows of traces without calls end', async () => {
  const project_id = app.newProject()
  const [root, trace_id] = [newId(), newId()]
  const times = { started_at: range.start, ended_at: '2026-03-01T00:00:01Z' }
  const usage = (prompt_tokens: number) => ({ usage: { m: { prompt_tokens } } })
  await record(
    app.client,
    aCall({ project_id, id: root, trace_id, ...times, summary: usage(12) }),
    aCall({ project_id, trace_id, parent_id: root, ...times, summary: usage(10) }),
    aCall({ project_id, ...times, summary: usage(5) }),
  )
  const read = async () => [
    await app.client.calls.traceTotals({ project_id, ...range }),
    await app.client.calls.usageTotals({ project_id, ...range, group_by: 'model' }),
  ]
  const before = await read()
  expect(before).toMatchObject([{ traces: [{}, {}] }, { groups: [{ key: 'm', uses: 3, input_tokens: 17 }] }])
  const { analytical } = app.stores
  await analytical.execute(sql`TRUNCATE TABLE heddle.traces`)
  // Rows of usage that are not true stay behind: of a call that is not there, and of one that reports something else.
  await analytical.execute(sql`INSERT INTO heddle.usage SELECT * REPLACE ('gone' AS call_id) FROM heddle.usage FINAL`)
  const progress: [number, number][] = []
  expect(await rebuildTraces({ analytical, onProgress: (done, total) => progress.push([done, total]) })).toBe(2)
  expect(progress).toEqual([[2, 2]])
  expect(await read()).toEqual(before)
})

test('it stops between two parts when it is aborted', async () => {
  const { analytical } = app.stores
  await expect(rebuildTraces({ analytical, signal: AbortSignal.abort() })).rejects.toThrow()
})

test('a comparison of some traces with their calls finds rows that are lost, wrong or of nothing, until they are computed again', async () => {
  const { analytical } = app.stores
  const compare = () => compareTraces(analytical, async () => undefined)
  const project_id = app.newProject()
  const times = { started_at: range.start, ended_at: '2026-03-01T00:00:01Z' }
  const [lost, wrong, fine] = [newId(), newId(), newId()]
  const usage = { usage: { m: { prompt_tokens: 5 } } }
  for (const trace_id of [lost, wrong, fine]) await record(app.client, aCall({ project_id, trace_id, ...times, summary: usage }))
  const { traces } = await app.client.calls.traceTotals({ project_id, ...range })
  expect(traces).toHaveLength(3)
  expect(await compare()).toMatchObject({ different: [] })
  await analytical.deleteRows(tracesTable, sql`trace_id = ${bind('String', lost)}`)
  await analytical.execute(
    sql`INSERT INTO heddle.traces SELECT * REPLACE (7 AS calls, version + 1 AS version) FROM heddle.traces FINAL WHERE trace_id = ${bind('String', wrong)}`,
  )
  await analytical.execute(
    sql`INSERT INTO heddle.usage SELECT * REPLACE ('gone' AS trace_id, 'gone' AS call_id) FROM heddle.usage FINAL WHERE trace_id = ${bind('String', wrong)}`,
  )
  const { different } = await compare()
  expect(new Set(different)).toEqual(new Set([`${project_id}: ${lost}`, `${project_id}: ${wrong}`]))
  await rebuildTraces({ analytical })
  expect(await compare()).toMatchObject({ different: [] })
})
