import { FeedbackInput } from '@heddle/core-api/types'
import { isJsonNumber, stringifyJson } from '@heddle/json'
import type { TracingClient } from '../connect.ts'
import { UsageError } from '../terminal/usage-error.ts'
import type { ForeignRemark, ForeignScore, Json } from './foreign-item.ts'
import type { ImportTarget } from './import-target.ts'
import { importedName } from './imported-name.ts'
import { type BatchWriter, createBatchWriter } from './write-in-batches.ts'

type Feedback = Parameters<TracingClient['feedback']['createBatch']>[0]['batch'][number]
type ObjectCreation = Parameters<TracingClient['objects']['create']>[0]

export interface ScoresWriter {
  /** Notes the type of a score, before the first is written. */
  survey(score: ForeignScore): void
  addScore(score: ForeignScore): Promise<void>
  addRemark(remark: ForeignRemark): Promise<void>
  end(): Promise<void>
}

interface ScoresTarget extends ImportTarget {
  onStep: (step: string) => void
}

/** Scores become annotations; each name gets an annotation spec, whose type is that of all values of that name, if they have one in common. */
export function createScoresWriter({ client, project, ...shared }: ScoresTarget): ScoresWriter {
  const types = new Map<string, Set<string>>()
  const specs = new Map<string, Promise<string>>()
  const write = async (batch: readonly Feedback[]) => void (await client.feedback.createBatch({ batch: [...batch] }))
  const limits = { maxItems: 500, maxSize: 4 << 20, ...shared }
  const scores = createBatchWriter<Feedback>({ what: 'scores', write, ...limits })
  const remarks = createBatchWriter<Feedback>({ what: 'notes and reactions', write, ...limits })

  function specOf(name: string): Promise<string> {
    const object_id = importedName('score', name)
    const known = specs.get(object_id) ?? ensureSpec({ client, project, name, object_id, types: types.get(object_id) ?? new Set() })
    specs.set(object_id, known)
    return known
  }

  function add(writer: BatchWriter<Feedback>, about: string, feedback: Partial<Feedback>): Promise<void> {
    const whole = FeedbackInput.parse({ project_id: project, weave_ref: `weave:///${project}/${about}`, ...feedback })
    return writer.add(whole as Feedback, stringifyJson(feedback.payload).length)
  }

  return {
    survey({ name, value }) {
      const object_id = importedName('score', name)
      types.set(object_id, (types.get(object_id) ?? new Set()).add(typeOf(value)))
    },
    async addScore({ id, about, name, value, details, creator = null }) {
      const annotation_ref = await specOf(name)
      const subject = 'call' in about ? `call/${about.call}` : `agent_conversation/${encodeURIComponent(about.thread)}`
      const feedback_type = `wandb.annotation.${importedName('score', name)}`
      await add(scores, subject, { id, creator, feedback_type, annotation_ref, payload: { value, ...details } })
    },
    async addRemark({ id, call, type, payload, creator = null }) {
      await add(remarks, `call/${call}`, { id, creator, feedback_type: type, payload })
    },
    async end() {
      await scores.end()
      await remarks.end()
    },
  }
}

interface NewSpec {
  client: TracingClient
  project: string
  name: string
  object_id: string
  types: ReadonlySet<string>
}

/** Ref of the newest spec of the name, which is created if there is none. @throws UsageError if the name is that of another object */
async function ensureSpec({ client, project, name, object_id, types }: NewSpec): Promise<string> {
  const filter = { object_ids: [object_id], latest_only: true, is_op: false }
  const [known] = (await client.objects.query({ project_id: project, filter, limit: 1 })).objs
  if (known !== undefined && known.base_object_class !== 'AnnotationSpec')
    throw new UsageError(
      `the score ${JSON.stringify(name)} cannot be imported: ${project} has another object of the name ${object_id}. Import into another project`,
    )
  const [type] = types
  const field_schema = types.size === 1 && type !== 'null' ? { type } : {}
  const obj = { project_id: project, object_id, val: { name, field_schema }, builtin_object_class: 'AnnotationSpec' }
  const digest = known?.digest ?? (await client.objects.create({ obj } as ObjectCreation)).digest
  return `weave:///${project}/object/${object_id}:${digest}`
}

function typeOf(value: Json): string {
  if (value === null || value === undefined) return 'null'
  if (isJsonNumber(value)) return 'number'
  return Array.isArray(value) ? 'array' : typeof value
}
