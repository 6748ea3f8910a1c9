import { useState } from 'react'
import { useProject } from '../../../app/use-project.ts'
import type { SavedView } from './saved-view.ts'
import { ViewLink } from './view-link.tsx'
import { readViews, writeViews } from './views-of-browser.ts'

interface Properties {
  isSharing: boolean
  /** Saves a view for all members of the project. False where it was not. */
  onShare: (view: SavedView) => Promise<boolean>
}

/** The views that this browser keeps for itself. They can be moved to the project. */
export function BrowserViews({ isSharing, onShare }: Properties) {
  const { id } = useProject()
  const [views, setViews] = useState(() => readViews(window.localStorage, id))
  if (views.length === 0) return null

  function forget(view: SavedView) {
    const left = readViews(window.localStorage, id).filter((one) => !isSame(one, view))
    writeViews(window.localStorage, id, left)
    setViews(left)
  }
  const move = (view: SavedView) =>
    onShare(view).then(
      (isShared) => isShared && forget(view),
      () => undefined,
    )

  return (
    <div className="row" role="group" aria-label="Views in this browser">
      <span className="muted">In this browser alone:</span>
      {views.map((view, at) => (
        // A name may be saved twice.
        <span key={`${at} ${view.name}`}>
          <ViewLink view={view} />
          <button
            type="button"
            className="small"
            aria-label={`Share the view ${view.name}`}
            disabled={isSharing}
            onClick={() => void move(view)}
          >
            share
          </button>
          <button
            type="button"
            className="small"
            aria-label={`Remove the view ${view.name} from this browser`}
            onClick={() => window.confirm(`Remove the view "${view.name}" from this browser?`) && forget(view)}
          >
            ×
          </button>
        </span>
      ))}
    </div>
  )
}

const isSame = (one: SavedView, other: SavedView) => JSON.stringify(one) === JSON.stringify(other)
