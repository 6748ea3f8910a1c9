import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useProject } from '../../app/use-project.ts'
import type { CallsSearch } from './calls-search.ts'
import { builtInViews, maxNameLength, maxViews, readViews, type SavedView, viewOf, writeViews } from './views-of-project.ts'

/** Opens a view of the calls by its name, and saves the one that is open in this browser. */
export function SavedViews({ project: id, search }: { project: string; search: CallsSearch }) {
  const { entity, project } = useProject()
  const [views, setViews] = useState(() => readViews(window.localStorage, id))
  const [isKept, setIsKept] = useState(true)

  function save(next: SavedView[]) {
    setViews(next)
    setIsKept(writeViews(window.localStorage, id, next))
  }

  return (
    <section aria-label="Views">
      <div className="row">
        {[...builtInViews, ...views].map((view, at) => (
          // A name may be saved twice.
          <span key={`${at} ${view.name}`}>
            <Link
              to="/$entity/$project/calls"
              params={{ entity, project }}
              search={view.search}
              activeOptions={{ exact: true, explicitUndefined: true }}
            >
              {view.name}
            </Link>
            {at >= builtInViews.length && (
              <button
                type="button"
                className="small"
                aria-label={`Remove the view ${view.name}`}
                onClick={() => save(views.filter((_, other) => other !== at - builtInViews.length))}
              >
                ×
              </button>
            )}
          </span>
        ))}
        {views.length < maxViews && <SaveView onSave={(name) => save([...views, { name, search: viewOf(search) }])} />}
      </div>
      {!isKept && <p className="notice">This browser keeps no data for this page, so the view is gone when the page is closed.</p>}
    </section>
  )
}

function SaveView({ onSave }: { onSave: (name: string) => void }) {
  const [name, setName] = useState('')

  function save(event: FormEvent) {
    event.preventDefault()
    onSave(name.trim())
    setName('')
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
      <button type="submit" disabled={name.trim() === ''}>
        Save
      </button>
    </form>
  )
}
