import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { client } from '../../../app/client.ts'
import { readAgain } from '../../../app/read-again.ts'
import { useProject } from '../../../app/use-project.ts'
import { Failure } from '../../../components/failure.tsx'
import { explain } from '../../../components/query-problem.tsx'
import { readableName } from '../../../components/readable-name.ts'
import type { CallsSearch } from '../calls-search.ts'
import { BrowserViews } from './browser-views.tsx'
import { builtInViews, maxNameLength, type SavedView, viewOf } from './saved-view.ts'
import type { SharedView } from './shared-view.ts'
import { maxViews, sharedViewsQuery, shareView } from './shared-views-queries.ts'
import { ViewLink } from './view-link.tsx'

/** Opens a view of the calls by its name, and saves the one that is open for all members of the project. */
export function SavedViews({ search }: { search: CallsSearch }) {
  const { id } = useProject()
  const queries = useQueryClient()
  const { data, error, isLoading } = useQuery(sharedViewsQuery(id))
  const share = useMutation({
    mutationFn: (view: SavedView) => shareView(queries, { project_id: id, view, mayReplace }),
    onSuccess: () => readAgain(queries, ['saved-views', id]),
  })
  const remove = useMutation({
    mutationFn: ({ objectId: object_id }: SharedView) => client.objects.delete({ project_id: id, object_id }),
    onSuccess: () => readAgain(queries, ['saved-views', id]),
  })
  function askToRemove(view: SharedView) {
    if (window.confirm(`Remove the view "${view.name}" for all members of this project?`)) remove.mutate(view)
  }

  return (
    <section aria-label="Views" aria-busy={isLoading}>
      <div className="row">
        {builtInViews.map((view) => (
          <ViewLink key={view.name} view={view} />
        ))}
        {data?.views.map((view) => (
          <span key={view.objectId}>
            <ViewLink view={view} title={view.savedBy === null ? undefined : `saved by ${readableName(view.savedBy)}`} />
            <button
              type="button"
              className="small"
              aria-label={`Remove the view ${readableName(view.name)}`}
              disabled={remove.isPending}
              onClick={() => askToRemove(view)}
            >
              ×
            </button>
          </span>
        ))}
        <SaveView isSaving={share.isPending} onSave={(name) => share.mutateAsync({ name, search: viewOf(search) })} />
      </div>
      <BrowserViews isSharing={share.isPending} onShare={(view) => share.mutateAsync(view)} />
      {error && <p className="notice">The saved views of the project were not read. {explain(error)}</p>}
      {data && data.others > 0 && <p className="muted">{othersText(data.others)}</p>}
      {data?.hasMore && <p className="notice">The newest {maxViews} saved views were read; there are more.</p>}
      <Failure error={share.error} before="The view was not saved." />
      <Failure error={remove.error} before="The view was not removed." />
    </section>
  )
}

const mayReplace = ({ name, savedBy }: SharedView) =>
  window.confirm(`Replace the view "${name}"${savedBy === null ? '' : `, which ${savedBy} saved,`} for all members of this project?`)

const othersText = (count: number) =>
  count === 1
    ? 'One more view was saved by another program and is not readable here.'
    : `${count} more views were saved by other programs and are not readable here.`

/** The name stays where the view was not saved. */
function SaveView({ isSaving, onSave }: { isSaving: boolean; onSave: (name: string) => Promise<boolean> }) {
  const [name, setName] = useState('')

  function save(event: FormEvent) {
    event.preventDefault()
    onSave(name.trim()).then(
      (isSaved) => isSaved && setName(''),
      () => undefined,
    )
  }

  return (
    <form className="row" onSubmit={save}>
      <input
        aria-label="Name of a view"
        placeholder="save this view as …"
        maxLength={maxNameLength}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <button type="submit" disabled={isSaving || name.trim() === ''}>
        Save
      </button>
    </form>
  )
}
