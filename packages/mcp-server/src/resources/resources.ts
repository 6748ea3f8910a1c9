import { equals } from '@heddle/trace-model/query'
import { ToolError } from '../answer/tool-error.ts'
import { readEvents } from '../tools/training/job-events.ts'
import { valueAt } from '@heddle/core-api/internal'
import { documents } from './documents.ts'
import { matchUri, type ResourceContext, type ResourceTemplate, toProject } from './resource.ts'

const shortMs = 10_000
const longMs = 3_600_000
const newestEvents = 100

function define(template: Omit<ResourceTemplate, 'match'>): ResourceTemplate {
  return { ...template, match: matchUri(template.uriTemplate) }
}

/** All templates, by URI. */
export const resourceTemplates: readonly ResourceTemplate[] = [
  define({
    name: 'call',
    title: 'Call',
    description: 'A recorded call with its inputs and output',
    uriTemplate: 'call://{entity}/{project}/{call_id}',
    ttlMs: shortMs,
    read: ([entity = '', project = '', id = ''], context) => readCall(toProject(entity, project).id, id, context),
  }),
  define({
    name: 'call_field',
    title: 'Field of a call',
    description: 'One field of a call by its JSON pointer, such as inputs/question',
    uriTemplate: 'call://{entity}/{project}/{call_id}/field/{+json_pointer}',
    ttlMs: shortMs,
    async read([entity = '', project = '', id = '', pointer = ''], context) {
      const call = await readCall(toProject(entity, project).id, id, context)
      const value = atPointer(call, pointer)
      if (value === undefined) throw notFound(`call ${id} has no field ${pointer}`)
      return value
    },
  }),
  define({
    name: 'docs',
    title: 'Documentation',
    description: 'Pages of this version: workflows, queries, training, security',
    uriTemplate: 'docs://{page}',
    ttlMs: longMs,
    async read([page = '']) {
      const text = documents[page]
      if (text === undefined) throw notFound(`no page ${page}; there are ${Object.keys(documents).join(', ')}`)
      return text
    },
  }),
  define({
    name: 'eval_row',
    title: 'Row of an evaluation',
    description: 'A dataset row with all of its trials',
    uriTemplate: 'eval://{entity}/{project}/{evaluation_id}/rows/{row_digest}',
    ttlMs: shortMs,
    async read([entity = '', project = '', id = '', digest = ''], { exactTracing, signal }) {
      const filters = [{ query: { $expr: equals('row_digest', digest) } }]
      const query = {
        entity,
        project,
        evaluation_call_ids: [id],
        filters,
        include_raw_data_rows: true,
        resolve_row_refs: true,
        include_costs: true,
        usage: 'counted' as const,
      }
      const { rows } = await exactTracing.evalResults.query(query, { signal })
      if (!rows[0]) throw notFound(`no row ${digest} in evaluation ${id}`)
      return rows[0]
    },
  }),
  define({
    name: 'eval_summary',
    title: 'Summary of an evaluation',
    description: 'Statistics of every score of an evaluation run',
    uriTemplate: 'eval://{entity}/{project}/{evaluation_id}/summary',
    ttlMs: shortMs,
    read: readSummary,
    watch: (parts) => (context) => readSummary(parts, context),
  }),
  define({
    name: 'job',
    title: 'Training job',
    description: 'The state of a training job',
    uriTemplate: 'job://{job_id}',
    ttlMs: 0,
    read: readJob,
    watch: (parts) => (context) => readJob(parts, context),
  }),
  define({
    name: 'job_events',
    title: 'Events of a training job',
    description: 'The newest hundred events of a training job, newest last',
    uriTemplate: 'job://{job_id}/events',
    ttlMs: 0,
    read: async ([job_id = ''], context) => (await readEvents(job_id, context)).slice(-newestEvents),
    watch([job_id = '']) {
      let last: string | null = null
      return async (context) => (last = (await readEvents(job_id, context, last)).at(-1)?.id ?? last)
    },
  }),
  define({
    name: 'model',
    title: 'Trained model',
    description: 'A model that is trained',
    uriTemplate: 'model://{model_id}',
    ttlMs: shortMs,
    read: ([model_id = ''], { training, signal }) => training.models.read({ model_id }, { signal }),
  }),
]

export const configurationUri = 'config://server'

function notFound(message: string): ToolError {
  return new ToolError('not_found', message, 'Check the id and the project.')
}

async function readSummary(
  [entity = '', project = '', id = '']: readonly string[],
  { tracing, signal }: ResourceContext,
): Promise<unknown> {
  const query = {
    entity,
    project,
    evaluation_call_ids: [id],
    include_rows: false,
    include_summary: true,
    include_costs: true,
    usage: 'counted' as const,
  }
  const { summary } = await tracing.evalResults.query(query, { signal })
  if (!summary?.evaluations[0]) throw notFound(`no results of evaluation ${id}`)
  return summary
}

function readJob([job_id = '']: readonly string[], { training, signal }: ResourceContext): Promise<unknown> {
  return training.trainingJobs.read({ job_id }, { signal })
}

async function readCall(project_id: string, id: string, { exactTracing, signal }: ResourceContext): Promise<unknown> {
  const { call } = await exactTracing.calls.read({ project_id, id, include_costs: true }, { signal })
  if (!call) throw notFound(`no call ${id} in project ${project_id}`)
  return call
}

/** The value at a JSON pointer (RFC 6901), with or without the leading slash. */
function atPointer(value: unknown, pointer: string): unknown {
  const keys = pointer.replace(/^\//, '').split('/')
  return keys.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? memberOf(at, key.replaceAll('~1', '/').replaceAll('~0', '~')) : undefined),
    value,
  )
}

function memberOf(value: object, key: string): unknown {
  return Object.hasOwn(value, key) ? Reflect.get(value, key) : valueAt(value, key)
}
