import { CostInput } from '@heddle/core-api/types'
import { exportFiles } from './export-manifest.ts'
import {
  type ImportContext,
  type ImportedRecord,
  inBatches,
  type JsonRecord,
  lineError,
  readRecords,
  stringOf,
  textOf,
  writeBatch,
} from './import-context.ts'
import type { ImportedQueues } from './import-queues.ts'

type FeedbackBatch = Parameters<ImportContext['client']['feedback']['createBatch']>[0]['batch']
type Prices = Parameters<ImportContext['client']['costs']['create']>[0]['costs']

const feedbackAtOnce = 500
/** What the server sets itself. */
const setByServer: ReadonlySet<string> = new Set(['created_at', 'wb_user_id'])
const comparedFields = ['weave_ref', 'feedback_type', 'payload', 'creator', 'annotation_ref', 'runnable_ref', 'call_ref', 'trigger_ref']

/** Imports feedback by its ids, and looks for it. It keeps its queue where that was exported. @returns how much. @throws UsageError that names the first that is not there or differs */
export async function importFeedback(context: ImportContext, queues: ImportedQueues): Promise<number> {
  const { client, project, onStep } = context
  const left = new Map<string, { line: number; text: string }>()
  const write = (batch: readonly ImportedRecord[]) => {
    const records = batch.map(({ record }) => {
      const queue_id = queues.get(stringOf(record['queue_id'])) ?? null
      return { ...without(record, setByServer), project_id: project, queue_id }
    })
    return client.feedback.createBatch({ batch: records as unknown as FeedbackBatch })
  }
  for await (const batch of inBatches(readRecords(context, exportFiles.feedback), feedbackAtOnce)) {
    await writeBatch(batch, write)
    for (const { line, record } of batch) left.set(String(record['id']), { line: line.number, text: textOf(record, comparedFields) })
    onStep(`Importing feedback: ${left.size}`)
  }
  const count = left.size
  for (let offset = 0; left.size > 0; offset += feedbackAtOnce) {
    const { result } = await client.feedback.query({ project_id: project, limit: feedbackAtOnce, offset })
    for (const found of result) {
      const expected = left.get(found.id ?? '')
      if (expected && expected.text !== textOf(found, comparedFields))
        throw lineError({ file: exportFiles.feedback, number: expected.line }, `feedback ${found.id} differs from the imported feedback`)
      left.delete(found.id ?? '')
    }
    if (result.length < feedbackAtOnce) break
  }
  for (const [id, { line }] of left)
    throw lineError({ file: exportFiles.feedback, number: line }, `feedback ${id} is missing after the import`)
  return count
}

/** Sent next to a price, or generated again. */
const keysOfPrice: ReadonlySet<string> = new Set(['id', 'llm_id'])
/** Prices are the same if all of this is. */
const priceFields = ['llm_id', ...Object.keys(CostInput.shape)]

/** Imports prices that the project does not have yet: prices have no ids by which to recognize them. @returns how many there are in the export */
export async function importCosts(context: ImportContext): Promise<number> {
  const { client, project, onStep } = context
  const knownPrices = async () => {
    const { results } = await client.costs.query({ project_id: project })
    return new Set(results.map((price) => textOf(price, priceFields)))
  }
  const before = await knownPrices()
  const lines: { line: ImportedRecord['line']; text: string }[] = []
  for await (const each of readRecords(context, exportFiles.costs)) {
    const text = textOf(each.record, priceFields)
    lines.push({ line: each.line, text })
    if (before.has(text)) continue
    const costs = { [String(each.record['llm_id'])]: without(each.record, keysOfPrice) }
    await writeBatch([each], () => client.costs.create({ project_id: project, costs: costs as unknown as Prices }))
    onStep(`Importing costs: ${lines.length}`)
  }
  const after = await knownPrices()
  for (const { line, text } of lines) if (!after.has(text)) throw lineError(line, 'the price is missing after the import')
  return lines.length
}

function without(record: JsonRecord, fields: ReadonlySet<string>): JsonRecord {
  return Object.fromEntries(Object.entries(record).filter(([field]) => !fields.has(field)))
}
