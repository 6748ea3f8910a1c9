import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { client } from '../../app/client.ts'
import { readAgain } from '../../app/read-again.ts'
import { useProject } from '../../app/use-project.ts'
import { Failure } from '../../components/failure.tsx'
import { readSetUp, toTyped, usualSetUp } from './queue-set-up.ts'
import { SetUpFields } from './set-up-fields.tsx'
import { type FieldKind, fieldKinds, findFieldProblem, type NewField, toFieldSchema, toObjectName } from './field-schemas.ts'

const newField: NewField = { name: '', kind: 'boolean', words: '' }
const maxFields = 20

/** Creates a queue with its fields; each field becomes an annotation spec. */
export function CreateQueue() {
  const project = useProject()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const [fields, setFields] = useState<readonly NewField[]>([{ ...newField, name: 'correct' }])
  const [typed, setTyped] = useState(() => toTyped(usualSetUp))
  const setUp = readSetUp(typed)
  const problem = findFieldProblem(fields) ?? (typeof setUp === 'string' ? setUp : undefined)
  const create = useMutation({
    async mutationFn() {
      const scorer_refs: string[] = []
      for (const field of fields) scorer_refs.push(await publishField(project.id, field))
      const queue = { project_id: project.id, name: name.trim(), description, scorer_refs }
      return client.annotationQueues.create({ ...queue, ...(typeof setUp !== 'string' && setUp) })
    },
    async onSuccess({ id }) {
      await readAgain(queries, ['queues', project.id])
      await navigate({ to: '/$entity/$project/queues/$queue', params: { ...project, queue: id } })
    },
  })
  const change = (at: number, part: Partial<NewField>) =>
    setFields((now) => now.map((field, place) => (place === at ? { ...field, ...part } : field)))

  return (
    <section aria-labelledby="create-queue">
      <h2 id="create-queue">Create a queue</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate()
        }}
      >
        <label htmlFor="queue-name">Name</label>
        <input id="queue-name" value={name} maxLength={1024} onChange={({ target }) => setName(target.value)} />
        <label htmlFor="queue-description">Instructions for annotators</label>
        <textarea
          id="queue-description"
          rows={3}
          value={description}
          maxLength={65_536}
          onChange={({ target }) => setDescription(target.value)}
        />
        {/* Fields have no identity but their place. */}
        {fields.map((field, at) => (
          <FieldForm
            key={at}
            at={at}
            field={field}
            onChange={(part) => change(at, part)}
            onRemove={() => setFields((now) => now.toSpliced(at, 1))}
          />
        ))}
        <SetUpFields typed={typed} onChange={(part) => setTyped((now) => ({ ...now, ...part }))} />
        <div className="row">
          <button type="button" disabled={fields.length >= maxFields} onClick={() => setFields((now) => [...now, newField])}>
            Add field
          </button>
          <button type="submit" className="primary" disabled={name.trim() === '' || problem !== undefined || create.isPending}>
            Create queue
          </button>
        </div>
        {problem !== undefined && <p className="muted">{problem}</p>}
      </form>
      <Failure error={create.error} />
    </section>
  )
}

interface FieldFormProperties {
  at: number
  field: NewField
  onChange: (part: Partial<NewField>) => void
  onRemove: () => void
}

function FieldForm({ at, field: { name, kind, words, minimum = '', maximum = '' }, onChange, onRemove }: FieldFormProperties) {
  return (
    <fieldset>
      <legend>Field {at + 1}</legend>
      <div className="row">
        <label htmlFor={`field-name-${at}`}>Name</label>
        <input id={`field-name-${at}`} value={name} maxLength={128} onChange={({ target }) => onChange({ name: target.value })} />
        <label htmlFor={`field-kind-${at}`}>Answer</label>
        <select id={`field-kind-${at}`} value={kind} onChange={({ target }) => onChange({ kind: target.value as FieldKind })}>
          {Object.entries(fieldKinds).map(([value, title]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </select>
        {kind === 'category' && (
          <>
            <label htmlFor={`field-words-${at}`}>Words</label>
            <input
              id={`field-words-${at}`}
              value={words}
              placeholder="good, fair, bad"
              onChange={({ target }) => onChange({ words: target.value })}
            />
          </>
        )}
        {kind === 'number' && (
          <>
            <label htmlFor={`field-minimum-${at}`}>From</label>
            <input
              id={`field-minimum-${at}`}
              className="queue-bound"
              inputMode="decimal"
              value={minimum}
              onChange={({ target }) => onChange({ minimum: target.value })}
            />
            <label htmlFor={`field-maximum-${at}`}>to</label>
            <input
              id={`field-maximum-${at}`}
              className="queue-bound"
              inputMode="decimal"
              value={maximum}
              onChange={({ target }) => onChange({ maximum: target.value })}
            />
          </>
        )}
        <button type="button" onClick={onRemove}>
          Remove field {at + 1}
        </button>
      </div>
    </fieldset>
  )
}

/** Publishes the spec of a field. Returns its reference. */
async function publishField(project_id: string, field: NewField): Promise<string> {
  const object_id = toObjectName(field.name)
  const val = { name: field.name.trim(), field_schema: toFieldSchema(field) }
  const obj = { project_id, object_id, val, builtin_object_class: 'AnnotationSpec' }
  const { digest } = await client.objects.create({ obj } as Parameters<typeof client.objects.create>[0])
  return `weave:///${project_id}/object/${object_id}:${digest}`
}
