import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useProject } from '../../../app/use-project.ts'
import { Failure } from '../../../components/failure.tsx'
import { appendRows } from '../../datasets/append-rows.ts'
import { type Draft, toMessages, toTools } from './draft.ts'
import { publishPrompt } from './save-objects.ts'

/** Keeps the conversation: as a version of a prompt, or as a row of a dataset, with what a variant has said. */
export function SaveDraft({ draft, answers }: { draft: Draft; answers: readonly (Record<string, unknown> | undefined)[] }) {
  return (
    <section aria-labelledby="save">
      <h2 id="save">Save</h2>
      <div className="playground-save">
        <SavePrompt draft={draft} />
        <SaveRow draft={draft} answers={answers} />
      </div>
    </section>
  )
}

function SavePrompt({ draft }: { draft: Draft }) {
  const { id, entity, project } = useProject()
  return (
    <SaveForm
      field="prompt-name"
      label="Name of the prompt"
      action="Save as a prompt"
      save={(name) => publishPrompt(id, name, toMessages(draft.messages))}
      saved={({ objectId }) => (
        <>
          Saved:{' '}
          <Link to="/$entity/$project/$kind/$object" params={{ entity, project, kind: 'prompts', object: objectId }}>
            {objectId}
          </Link>
        </>
      )}
    />
  )
}

function SaveRow({ draft, answers }: { draft: Draft; answers: readonly (Record<string, unknown> | undefined)[] }) {
  const { id, entity, project } = useProject()
  const [chosen, setChosen] = useState('')
  function save(name: string) {
    const tools = toTools(draft.tools)
    const output = chosen === '' ? undefined : answers[Number(chosen)]
    const row = { messages: toMessages(draft.messages), ...(tools && { tools }), ...(output && { output }) }
    return appendRows({ entity, project, id }, name, [row])
  }
  return (
    <SaveForm
      field="row-dataset"
      label="Name of the dataset"
      action="Save as a row of a dataset"
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
      <label htmlFor="row-output">Output of the row</label>
      <select id="row-output" value={chosen} onChange={({ target }) => setChosen(target.value)}>
        <option value="">none</option>
        {answers.map(
          (answer, at) =>
            answer && (
              <option key={at} value={at}>
                {`answer of variant ${at + 1}`}
              </option>
            ),
        )}
      </select>
    </SaveForm>
  )
}

interface SaveFormProperties<Saved> {
  /** Id of the field of the name. */
  field: string
  label: string
  action: string
  save: (name: string) => Promise<Saved>
  /** What is said once it is saved. */
  saved: (result: Saved) => ReactNode
  /** Further fields. */
  children?: ReactNode
}

/** Asks for a name, and saves something under it. */
function SaveForm<Saved>({ field, label, action, save, saved, children }: SaveFormProperties<Saved>) {
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const saving = useMutation({ mutationFn: () => save(name.trim()), onSuccess: () => queries.invalidateQueries() })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        saving.mutate()
      }}
    >
      <label htmlFor={field}>{label}</label>
      <input id={field} value={name} maxLength={128} onChange={({ target }) => setName(target.value)} />
      {children}
      <button type="submit" disabled={name.trim() === '' || saving.isPending}>
        {action}
      </button>
      {saving.data && <p role="status">{saved(saving.data)}</p>}
      <Failure error={saving.error} before="Not saved." />
    </form>
  )
}
