import { Link } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { useProject } from '../../lib/use-project.ts'
import { readableName } from '../../lib/texts/readable-name.ts'
import { Time } from '../../ui/time/time.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { nameOfType } from '../../features/feedback/feedback-marks.ts'
import type { FeedbackSearch } from './feedback-search.ts'
import type { FeedbackRow } from './to-feedback-row.ts'

const usualTypes = ['wandb.reaction.1', 'wandb.note.1', 'wandb.agent_user_feedback']

interface Properties {
  search: FeedbackSearch
  /** Rows loaded so far: their types and authors are suggested. */
  rows: readonly FeedbackRow[]
  onChange: (search: FeedbackSearch) => void
}

/** Chooses feedback of one type, by one author, or notes that mention the person who looks. */
export function FeedbackFilter({ search, rows, onChange }: Properties) {
  const types = [...new Set([...usualTypes, ...rows.map((row) => row.type), ...(search.type === undefined ? [] : [search.type])])]
  const authors = new Map([
    ...(search.author === undefined ? [] : [[search.author, search.author] as const]),
    ...rows.map((row) => [row.author, row.creator] as const),
  ])
  const isFiltered = [search.type, search.author, search.mentions, search.from, search.to].some((chosen) => chosen !== undefined)
  return (
    <div className="flex min-h-12 shrink-0 flex-wrap items-center gap-2 border-b border-line px-4 py-2">
      <Select
        inside
        label="Type"
        value={search.type ?? ''}
        choices={[{ value: '', label: 'Any' }, ...types.map((type) => ({ value: type, label: nameOfType(type) }))]}
        onChange={(type) => onChange({ ...search, type: type || undefined })}
      />
      <Select
        inside
        label="Author"
        value={search.author ?? ''}
        choices={[{ value: '', label: 'Any' }, ...[...authors].map(([author, name]) => ({ value: author, label: readableName(name) }))]}
        onChange={(author) => onChange({ ...search, author: author || undefined })}
      />
      <Checkbox
        label="Mentions me"
        checked={search.mentions === 'me'}
        onChange={(isOn) => onChange({ ...search, mentions: isOn ? 'me' : undefined })}
      />
      <ChosenTime search={search} />
      <span className="grow" />
      {isFiltered && (
        <Button variant="ghost" icon={X} onClick={() => onChange({ range: search.range })}>
          Clear filters
        </Button>
      )}
    </div>
  )
}

/** The time of the bar that was pressed, which can be taken away. */
function ChosenTime({ search: { from, to } }: { search: FeedbackSearch }) {
  const { entity, project } = useProject()
  if (from === undefined && to === undefined) return null
  return (
    <span className="inline-flex h-7 items-center gap-1.5 rounded-md border border-line bg-sunken pl-2">
      {from !== undefined && <Time value={from} />}
      {from === undefined && 'Before'}
      {from !== undefined && to !== undefined && '–'}
      {from !== undefined && to === undefined && 'and later'}
      {to !== undefined && <Time value={to} />}
      <Link
        to="/$entity/$project/feedback"
        params={{ entity, project }}
        search={(before) => ({ ...before, from: undefined, to: undefined })}
        aria-label="At any time"
        data-tip="At any time"
        className="inline-flex size-6 items-center justify-center rounded-sm text-fg-3 pressable hover:text-fg"
      >
        <X size={13} aria-hidden />
      </Link>
    </span>
  )
}
