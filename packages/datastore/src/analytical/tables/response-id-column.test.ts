import { afterAll, beforeAll, expect, test } from 'vitest'
import { aBlock, aCallRow, startTestStores, type TestStores } from '../../testing/index.ts'
import { bind, sql } from '../sql.ts'
import { callsTable } from './calls.ts'

let stores: TestStores
let projects = 0
beforeAll(async () => {
  stores = await startTestStores()
})
afterAll(() => stores.close())

const longest = 'x'.repeat(256)

test.each([
  ['{}', ''],
  ['{"response_id":"msg_1"}', 'msg_1'],
  ['{"model":"m","response_id":"chatcmpl-\\u00e4"}', 'chatcmpl-ä'],
  ['{"request":{"response_id":"msg_1"}}', ''],
  ['{"response_id":7}', '7'],
  ['{"response_id":null}', ''],
  [`{"response_id":"${longest}"}`, longest],
  [`{"response_id":"${longest}x"}`, ''],
  ['"response_id" is not JSON', ''],
])('the attributes %s name the response "%s"', async (attributes, id) => {
  const project_id = `responses/${projects++}`
  await stores.analytical.insert(callsTable, aBlock(callsTable, aCallRow({ project_id, id: 'a', attributes })))
  const rows = await stores.analytical.rows<{ response_id: string }>(
    sql`SELECT response_id FROM heddle.calls FINAL WHERE project_id = ${bind('String', project_id)}`,
  )
  expect(rows).toEqual([{ response_id: id }])
})
