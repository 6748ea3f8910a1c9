import type { ImportedCalls } from './import-calls.ts'
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
  writeOne,
} from './import-context.ts'

/** Ids of queues in the export, and of the corresponding ones here. */
export type ImportedQueues = ReadonlyMap<string, string>

const itemsAtOnce = 500
const queueFields = ['name', 'description', 'scorer_refs', 'reviewers_per_item', 'reservation_minutes', 'item_order']
/** Of queues in exports of older versions, which had no set-up. */
const oldSetUp = { reviewers_per_item: 1, reservation_minutes: 10, item_order: 'oldest' }

/**
 * Imports annotation queues and their items. The server makes their ids, so an existing queue with the same name, description, scorers and
 * set-up corresponds to one of the export. How far annotators are is not imported: a state belongs to the user who sets it.
 * @throws UsageError that names the first item that is not there, although its call was imported
 */
export async function importQueues(context: ImportContext, calls: ImportedCalls): Promise<ImportedQueues> {
  const queues = await createQueues(context)
  const items = await addItems(context, queues)
  for (const [queue, lines] of items) await verifyItems(context, queue, new Map([...lines].filter(([call]) => calls.has(call))))
  return queues
}

async function createQueues(context: ImportContext): Promise<Map<string, string>> {
  const { client, project, onStep } = context
  const known = new Map<string, string[]>()
  const oldestFirst = { sort_by: [{ field: 'created_at', direction: 'asc' as const }] }
  for await (const queue of client.annotationQueues.streamQuery({ project_id: project, ...oldestFirst })) {
    const text = textOf(queue, queueFields)
    known.set(text, [...(known.get(text) ?? []), queue.id])
  }
  const queues = new Map<string, string>()
  for await (const { line, record: exported } of readRecords(context, exportFiles.queues)) {
    const record: JsonRecord = { ...oldSetUp, ...exported }
    const id = known.get(textOf(record, queueFields))?.shift() ?? (await writeOne(line, () => createQueue(context, record)))
    queues.set(stringOf(record['id']), id)
    onStep(`Importing annotation queues: ${queues.size}`)
  }
  return queues
}

async function createQueue({ client, project }: ImportContext, record: JsonRecord): Promise<string> {
  const fields = Object.fromEntries(queueFields.map((field) => [field, record[field]]))
  const queue = { project_id: project, ...fields } as Parameters<typeof client.annotationQueues.create>[0]
  return (await client.annotationQueues.create(queue)).id
}

/** The lines of the calls that were added, by queue. */
async function addItems(context: ImportContext, queues: ImportedQueues): Promise<Map<string, Map<string, number>>> {
  const added = new Map<string, Map<string, number>>()
  let count = 0
  for await (const batch of inBatches(readRecords(context, exportFiles.items), itemsAtOnce)) {
    for (const some of alike(batch)) await writeBatch(some, (records) => addCalls(context, queues, records))
    for (const { line, record } of batch) {
      const queue = queueOf(queues, record)
      added.set(queue, (added.get(queue) ?? new Map<string, number>()).set(stringOf(record['call_id']), line.number))
    }
    count += batch.length
    context.onStep(`Importing items of annotation queues: ${count}`)
  }
  return added
}

async function addCalls({ client, project }: ImportContext, queues: ImportedQueues, items: readonly ImportedRecord[]): Promise<void> {
  const [first] = items
  if (first === undefined) return
  await client.annotationQueues.addCalls({
    project_id: project,
    queue_id: queueOf(queues, first.record),
    call_ids: items.map(({ record }) => stringOf(record['call_id'])),
    display_fields: first.record['display_fields'] as string[],
  })
}

const queueOf = (queues: ImportedQueues, record: JsonRecord) => queues.get(stringOf(record['queue_id'])) ?? stringOf(record['queue_id'])

/** Runs of items that one request adds: those of one queue, with the same fields to show. */
function* alike(batch: readonly ImportedRecord[]): Generator<ImportedRecord[]> {
  const textAt = (at: number) => textOf(batch[at]?.record ?? {}, ['queue_id', 'display_fields'])
  let start = 0
  for (let at = 1; at <= batch.length; at++) {
    if (at < batch.length && textAt(at) === textAt(start)) continue
    yield batch.slice(start, at)
    start = at
  }
}

async function verifyItems({ client, project }: ImportContext, queue_id: string, left: Map<string, number>): Promise<void> {
  for (let offset = 0; left.size > 0; offset += itemsAtOnce) {
    const { items } = await client.annotationQueues.queryItems({ project_id: project, queue_id, limit: itemsAtOnce, offset })
    for (const { call_id } of items) left.delete(call_id)
    if (items.length < itemsAtOnce) break
  }
  for (const [call, line] of left)
    throw lineError({ file: exportFiles.items, number: line }, `call ${call} is not in its annotation queue after the import`)
}
