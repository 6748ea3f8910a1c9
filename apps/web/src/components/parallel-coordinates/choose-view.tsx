import type { AxesSearch } from './axes-search.ts'

/** Chooses whether rows are shown as a table or as lines over axes. */
export function ChooseView({ view, onChange }: { view: AxesSearch['view']; onChange: (view: AxesSearch['view']) => void }) {
  return (
    <div className="row" role="group" aria-label="View">
      <button type="button" aria-pressed={view === undefined} onClick={() => onChange(undefined)}>
        Table
      </button>
      <button type="button" aria-pressed={view === 'axes'} onClick={() => onChange('axes')}>
        Parallel coordinates
      </button>
    </div>
  )
}
