import { randomUUID } from 'node:crypto'
import type { TestApp } from '../../testing/start-test-app.ts'
import { aCall, findCalls, record } from './call-builders.ts'
import { aDataDeletion, aLink, aQueue, aWebhook, objectName, type Place } from './sample-requests.ts'

/** A project with a call, feedback on it, a queue with it, an object, a table and a file, in all of which the marker stands. */
export async function aFilledProject({ client }: Pick<TestApp, 'client'>, marker: string): Promise<Place> {
  const project_id = `ours/${randomUUID()}`
  const call = aCall({
    project_id,
    inputs: { text: marker },
    output: marker,
    display_name: marker,
    exception: marker,
    attributes: { [marker]: 1 },
  })
  await record(client, call)
  const object = await client.objects.create({
    obj: { project_id, object_id: objectName, val: { text: marker, part: { text: marker } } },
  })
  const version = { project_id, object_id: objectName, digest: object.digest }
  await client.objects.addTags({ ...version, tags: [marker] })
  await client.objects.setAliases({ ...version, aliases: [marker] })
  const [entity_name = '', project_name = ''] = project_id.split('/')
  const ref = `weave:///${project_id}/object/${objectName}:${object.digest}`
  await client.registry.link({ ref, target: { portfolio_name: marker, entity_name, project_name }, aliases: [marker] })
  const bytes = Buffer.from(marker)
  const file = await client.files.create({ project_id, files: [{ field: 'file', filename: marker, content_type: undefined, bytes }] })
  const table = await client.tables.create({ table: { project_id, rows: [{ text: marker }] } })
  const rowDigest = table.row_digests[0] ?? ''
  const { id } = await client.feedback.create({
    project_id,
    weave_ref: `weave:///${project_id}/call/${call.id}`,
    feedback_type: 'quality',
    payload: { note: marker },
  })
  const { key } = await client.projectKeys.create({ project_id, name: marker, role: 'reader' })
  return {
    project_id,
    callId: call.id,
    traceId: call.trace_id,
    objectDigest: object.digest,
    tableDigest: table.digest,
    rowDigest,
    fileDigest: file.digest,
    feedbackId: id,
    keyId: key.id,
    ...(await aQueue(client, { project_id, call_id: call.id, text: marker })),
    ...(await aLink(client, { project_id, trace_id: call.trace_id })),
    ...(await aWebhook(client, { project_id, text: marker })),
    ...(await aDataDeletion(client, { project_id })),
  }
}

/** Its content. */
export async function contentOf({ client }: Pick<TestApp, 'client'>, { project_id, fileDigest, tableDigest, queueId: queue_id }: Place) {
  const latest = await client.objects.read({ project_id, object_id: objectName, digest: 'latest', include_tags_and_aliases: true })
  const file = await client.files.content({ project_id, digest: fileDigest })
  const { rows } = await client.tables.query({ project_id, digest: tableDigest })
  const feedback = await client.feedback.query({ project_id })
  const { queue } = await client.annotationQueues.read({ project_id, queue_id })
  const { items } = await client.annotationQueues.queryItems({ project_id, queue_id })
  const calls = await findCalls(client, { project_id })
  return { calls, latest, rows, file: Buffer.from(file.bytes).toString(), feedback, queue, items }
}
