import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useProject } from '../../app/use-project.ts'
import { Failure } from '../../components/failure.tsx'
import { type Draft, toMessages, toTools } from './draft.ts'
import { appendRow, publishPrompt } from './save-objects.ts'

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
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const save = useMutation({
    mutationFn: () => publishPrompt(id, name.trim(), toMessages(draft.messages)),
    onSuccess: () => queries.invalidateQueries(),
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <label htmlFor="prompt-name">Name of the prompt</label>
      <input id="prompt-name" value={name} maxLength={128} onChange={({ target }) => setName(target.value)} />
      <button type="submit" disabled={name.trim() === '' || save.isPending}>
        Save as a prompt
      </button>
      {save.data && (
        <p role="status">
          Saved:{' '}
          <Link to="/$entity/$project/$kind/$object" params={{ entity, project, kind: 'prompts', object: save.data.objectId }}>
            {save.data.objectId}
          </Link>
        </p>
      )}
      <Failure error={save.error} before="Not saved." />
    </form>
  )
}

function SaveRow({ draft, answers }: { draft: Draft; answers: readonly (Record<string, unknown> | undefined)[] }) {
  const { id, entity, project } = useProject()
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState('')
  const save = useMutation({
    mutationFn() {
      const tools = toTools(draft.tools)
      const output = chosen === '' ? undefined : answers[Number(chosen)]
      const row = { messages: toMessages(draft.messages), ...(tools && { tools }), ...(output && { output }) }
      return appendRow({ entity, project, id }, name.trim(), row)
    },
    onSuccess: () => queries.invalidateQueries(),
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <label htmlFor="row-dataset">Name of the dataset</label>
      <input id="row-dataset" value={name} maxLength={128} onChange={({ target }) => setName(target.value)} />
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
      <button type="submit" disabled={name.trim() === '' || save.isPending}>
        Save as a row of a dataset
      </button>
      {save.data && (
        <p role="status">
          {save.data.isNew ? 'Saved in a new dataset: ' : 'Saved in a new version: '}
          <Link to="/$entity/$project/datasets/$object" params={{ entity, project, object: save.data.objectId }}>
            {save.data.objectId}
          </Link>
        </p>
      )}
      <Failure error={save.error} before="Not saved." />
    </form>
  )
}
