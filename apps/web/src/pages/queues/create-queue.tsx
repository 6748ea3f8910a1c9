import { toObjectName } from '@heddle/core-api/internal'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Plus, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { client } from '../../lib/server/client.ts'
import { readAgain } from '../../lib/server/read-again.ts'
import { useProject } from '../../lib/use-project.ts'
import { Failure } from '../../ui/states/failure.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Field, Textarea } from '../../ui/field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { FormSelect } from '../../ui/form-select.tsx'
import { type FieldKind, fieldKinds, findFieldProblem, type NewField, toFieldSchema } from '../../features/queues/field-schemas.ts'
import { queuesKey } from '../../features/queues/queue-queries.ts'
import { readSetUp, toTyped, usualSetUp } from './queue-set-up.ts'
import { SetUpFields } from './set-up-fields.tsx'

const newField: NewField = { name: '', kind: 'boolean', words: '' }
const maxFields = 20
const kinds = Object.entries(fieldKinds).map(([value, label]) => ({ value, label }))

/** Creates a queue with its questions; each becomes an annotation spec. */
export function CreateQueue({ open, onClose }: { open: boolean; onClose: () => void }) {
  const project = useProject()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const first = useRef<HTMLInputElement>(null)
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
    async onSuccess({ id: created }) {
      await readAgain(queries, queuesKey(project.id))
      await navigate({ to: '/$entity/$project/queues/$queue', params: { ...project, queue: created } })
    },
  })
  const change = (at: number, part: Partial<NewField>) =>
    setFields((now) => now.map((field, place) => (place === at ? { ...field, ...part } : field)))
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title="New queue"
      width="w-[640px]"
      initialFocus={first}
      action="Create queue"
      isReady={name.trim() !== '' && problem === undefined}
      isSending={create.isPending}
      onSubmit={() => create.mutate()}
    >
      <TextField label="Name" ref={first} value={name} maxLength={1024} onChange={setName} />
      <Field label="Instructions" optional>
        {(ids) => (
          <Textarea {...ids} rows={3} value={description} maxLength={65_536} onChange={({ target }) => setDescription(target.value)} />
        )}
      </Field>
      {fields.map((field, at) => (
        <Question
          // Questions are identified by index.
          key={String(at)}
          at={at}
          field={field}
          onChange={(part) => change(at, part)}
          onRemove={() => setFields((now) => now.toSpliced(at, 1))}
        />
      ))}
      <Button
        icon={Plus}
        className="self-start"
        disabled={fields.length >= maxFields}
        onClick={() => setFields((now) => [...now, newField])}
      >
        Add question
      </Button>
      <SetUpFields typed={typed} onChange={(part) => setTyped((now) => ({ ...now, ...part }))} />
      {problem !== undefined && (
        <p role="status" className="text-xs text-fg-2">
          {problem}
        </p>
      )}
      <Failure error={create.error} />
    </FormDialog>
  )
}

interface QuestionProperties {
  at: number
  field: NewField
  onChange: (part: Partial<NewField>) => void
  onRemove: () => void
}

function Question({ at, field: { name, kind, words, minimum = '', maximum = '' }, onChange, onRemove }: QuestionProperties) {
  return (
    <fieldset className="rounded-lg border border-line p-3">
      <legend className="px-1 text-xs font-medium text-fg-2">Question {at + 1}</legend>
      <div className="flex flex-wrap items-end gap-3">
        <TextField label="Name" className="min-w-40 grow" value={name} maxLength={128} onChange={(next) => onChange({ name: next })} />
        <FormSelect
          label="Answer"
          choices={kinds}
          value={kind}
          onChange={(value) => onChange({ kind: value as FieldKind })}
          className="w-44"
        />
        <IconButton label={`Remove question ${at + 1}`} icon={X} size="md" onClick={onRemove} />
        {kind === 'category' && (
          <TextField
            label="Options"
            help="Separated by commas"
            className="w-full"
            value={words}
            placeholder="good, fair, bad"
            onChange={(next) => onChange({ words: next })}
          />
        )}
        {kind === 'number' && (
          <div className="flex w-full gap-3">
            <TextField
              label="From"
              optional
              className="w-32"
              inputMode="decimal"
              value={minimum}
              onChange={(next) => onChange({ minimum: next })}
            />
            <TextField
              label="To"
              optional
              className="w-32"
              inputMode="decimal"
              value={maximum}
              onChange={(next) => onChange({ maximum: next })}
            />
          </div>
        )}
      </div>
    </fieldset>
  )
}

/** Publishes the spec of a question. Returns its reference. */
async function publishField(project_id: string, field: NewField): Promise<string> {
  const object_id = toObjectName(field.name)
  const val = { name: field.name.trim(), field_schema: toFieldSchema(field) }
  const obj = { project_id, object_id, val, builtin_object_class: 'AnnotationSpec' }
  const { digest } = await client.objects.create({ obj } as Parameters<typeof client.objects.create>[0])
  return `weave:///${project_id}/object/${object_id}:${digest}`
}
