import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useRef, useState } from 'react'
import { useProject } from '../../../lib/use-project.ts'
import { Failure } from '../../../ui/states/failure.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { FormSelect } from '../../../ui/form-select.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { appendRows } from '../../../features/datasets/append-rows.ts'
import { type Draft, filledAt, messagesAt, toMessages, toTools } from '../../../features/playground/draft/draft.ts'
import { toAnswerMessage } from '../../../features/playground/answer.ts'
import type { Run } from '../runs/complete-variant.ts'
import { nameOfVariant } from '../../../features/playground/draft/variants.ts'
import { client } from '../../../lib/server/client.ts'
import type { DraftMessage } from '../../../features/playground/draft/draft-message.ts'
import { toPromptText } from '../../../features/playground/draft/variables.ts'

interface Properties {
  draft: Draft
  variants: number
  /** Name of the prompt that was opened, which is offered; empty without one. */
  name: string
  onClose: () => void
}

/** Keeps the messages of a variant as the next version of a prompt. */
export function SavePrompt({ draft, variants, name: given, onClose }: Properties) {
  const { id, entity, project } = useProject()
  const [at, setAt] = useState('0')
  return (
    <SaveDialog
      title="Save prompt"
      label="Name"
      given={given}
      help="A name that exists gets a new version"
      onClose={onClose}
      save={(name) => publishPrompt(id, name, messagesAt(draft, Number(at)))}
      saved={({ objectId }) => (
        <>
          Saved:{' '}
          <Link to="/$entity/$project/$kind/$object" params={{ entity, project, kind: 'prompts', object: objectId }}>
            {objectId}
          </Link>
        </>
      )}
    >
      {variants > 1 && (
        <FormSelect
          label="Variant"
          choices={Array.from({ length: variants }, (_, place) => ({ value: String(place), label: nameOfVariant(place) }))}
          value={at}
          onChange={setAt}
        />
      )}
    </SaveDialog>
  )
}

interface RowProperties {
  draft: Draft
  at: number
  /** The last run of the variant. */
  run: Run | undefined
  onClose: () => void
}

const withOutput = 'output'
const outputs = [
  { value: withOutput, label: 'This answer' },
  { value: 'none', label: 'None' },
]

/** Keeps the conversation of a variant as a row of a dataset. */
export function SaveRow({ draft, at, run, onClose }: RowProperties) {
  const { id, entity, project } = useProject()
  const [output, setOutput] = useState(withOutput)
  const answer = run && !run.isRunning && run.problem === undefined ? toAnswerMessage(run.answer) : undefined
  function save(name: string) {
    const tools = toTools(draft.tools)
    const row = {
      messages: toMessages(filledAt(draft, at)),
      ...(tools && { tools }),
      ...(output === withOutput && answer && { output: answer }),
    }
    return appendRows({ entity, project, id }, name, [row])
  }
  return (
    <SaveDialog
      title="Save as row"
      label="Dataset"
      help="A new name creates a dataset"
      onClose={onClose}
      save={save}
      saved={({ objectId, isNew }) => (
        <>
          {isNew ? 'Saved in a new dataset: ' : 'Saved in a new version: '}
          <Link to="/$entity/$project/datasets/$object" params={{ entity, project, object: objectId }}>
            {objectId}
          </Link>
        </>
      )}
    >
      {answer && <FormSelect label="Output" choices={outputs} value={output} onChange={setOutput} />}
    </SaveDialog>
  )
}

interface SaveProperties<Saved> {
  title: string
  label: string
  help: string
  /** Name at first. Default: none. */
  given?: string
  onClose: () => void
  save: (name: string) => Promise<Saved>
  /** Message shown once it is saved. */
  saved: (result: Saved) => ReactNode
  /** Further fields. */
  children?: ReactNode
}

/** Dialog that saves something under a name. */
function SaveDialog<Saved>({ title, label, help, given = '', onClose, save, saved, children }: SaveProperties<Saved>) {
  const input = useRef<HTMLInputElement>(null)
  const queries = useQueryClient()
  const [name, setName] = useState(given)
  // What cannot be saved as it is typed is refused before anything is sent.
  const saving = useMutation({ mutationFn: async () => save(name.trim()), onSuccess: () => queries.invalidateQueries() })
  return (
    <FormDialog
      onClose={onClose}
      title={title}
      initialFocus={input}
      action="Save"
      isReady={name.trim() !== ''}
      isSending={saving.isPending}
      isDone={saving.data !== undefined}
      onSubmit={() => saving.mutate()}
      className="flex flex-col gap-3 pb-4"
    >
      <TextField label={label} help={help} ref={input} value={name} maxLength={128} onChange={setName} />
      {children}
      {saving.data && <Notice tone="ok" title={saved(saving.data)} />}
      <Failure error={saving.error} before="Not saved." />
    </FormDialog>
  )
}

type CreatedObject = Parameters<typeof client.objects.create>[0]

/** Publishes messages as the next version of a prompt. @throws DraftProblem */
async function publishPrompt(project_id: string, object_id: string, messages: readonly DraftMessage[]): Promise<{ objectId: string }> {
  const texts = messages.map((message) => (message.isParts ? message : { ...message, content: toPromptText(message.content) }))
  const val = {
    _type: 'MessagesPrompt',
    _class_name: 'MessagesPrompt',
    _bases: ['Prompt', 'Object', 'BaseModel'],
    messages: toMessages(texts),
  }
  await client.objects.create({ obj: { project_id, object_id, val } } as unknown as CreatedObject)
  return { objectId: object_id }
}
