import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useProject } from '../../app/use-project.ts'
import { Empty } from '../../components/empty.tsx'
import { FormattedText } from '../../components/markdown/formatted-text.tsx'
import { NoteField } from '../../components/notes/note-field.tsx'
import { toText } from '../../components/to-text.ts'
import { ItemFilterSelect } from '../queues/item-filter-select.tsx'
import type { ItemFilter } from '../queues/item-filters.ts'
import { QueueProgress } from '../queues/queue-progress.tsx'
import { stateNames } from '../queues/item-states.ts'
import { AnnotateKeysHelp } from './annotate-keys-help.tsx'
import { ClaimLine } from './claim-line.tsx'
import type { QueueItem } from './queue-item.ts'
import { CorrectedOutput } from './corrected-output.tsx'
import { correctionField, noteField } from './annotate-queries.ts'
import type { AnnotationField } from './annotation-field.ts'
import type { FieldState, StoredValue } from './annotation-saver.ts'
import { FieldControl, statusTexts } from './field-control.tsx'
import { OtherAnswers } from './other-answers.tsx'
import { type ShownValue, shownValues } from './shown-values.ts'
import { useAnnotation } from './use-annotation.ts'
import { useClaim } from './use-claim.ts'

const from = '/$entity/$project/queues/$queue/annotate/$item'

interface Properties {
  queue: { id: string; name: string; description: string; reviewers_per_item: number; reservation_minutes: number }
  item: QueueItem
  /** Null where the call was deleted. */
  call: Readonly<Record<string, unknown>> | null
  fields: readonly AnnotationField[]
  stored: Readonly<Record<string, StoredValue>>
  username: string
  /** Which items of the queue next and previous go through. */
  filter: ItemFilter | undefined
}

/** The call and the fields of an item. */
export function AnnotateItem(properties: Properties) {
  const { queue, item, call, fields, username, filter } = properties
  const project = useProject()
  const navigate = useNavigate({ from })
  const claim = useClaim({ queue, item, username })
  const [showsHelp, setShowsHelp] = useState(false)
  const annotation = useAnnotation({ ...properties, claim, onHelp: () => setShowsHelp((now) => !now) })
  const { saver, current, stats, place, problem, message, isLeaving, isReviewed } = annotation
  const isOfOther = item.annotation_state === 'in_progress' && item.annotator_user_id !== username
  return (
    <>
      <div className="row">
        <Link to="/$entity/$project/queues/$queue" params={{ ...project, queue: queue.id }} search={{ state: filter }}>
          {queue.name.slice(0, 200)}
        </Link>
        <span className="grow" />
        <ItemFilterSelect
          label="Next and previous"
          filter={filter}
          onChange={(state) => void navigate({ to: '.', search: { state }, replace: true })}
        />
        <QueueProgress done={stats?.completed_items ?? 0} total={stats?.total_items ?? 0} />
      </div>
      <h1>
        Item{place !== undefined && ` ${place.toLocaleString('en')}`}, {stateNames[item.annotation_state]}
      </h1>
      {queue.reviewers_per_item > 1 && (
        <p>
          {item.review_count} of {queue.reviewers_per_item} people have reviewed it.
        </p>
      )}
      <ClaimLine claim={claim} />
      {isReviewed && (
        <p>
          You have {item.own_state} this item.{' '}
          <button type="button" disabled={isLeaving} onClick={() => annotation.act({ do: 'reopen' })}>
            Reopen
          </button>
        </p>
      )}
      {call !== null && (
        <p>
          <Link to="/$entity/$project/calls/$call" params={{ ...project, call: item.call_id }}>
            Its trace
          </Link>
        </p>
      )}
      {isOfOther && (
        <p role="status" className="notice">
          {item.annotator_user_id} has this item in progress.
        </p>
      )}
      {message !== undefined && (
        <p role="status" className="notice">
          {message}
        </p>
      )}
      {problem !== undefined && (
        <p role="alert" className="problem">
          {problem}
        </p>
      )}
      <div className="annotate">
        <section aria-label="Call">
          {queue.description !== '' && (
            <details>
              <summary>Instructions</summary>
              <FormattedText text={queue.description} label="Instructions" />
            </details>
          )}
          {call === null ? (
            <Empty title="The call was deleted">There is nothing to judge; skip this item.</Empty>
          ) : (
            <CallValues call={call} displayFields={item.display_fields} />
          )}
        </section>
        <section aria-label="Fields" onInput={claim.work}>
          {fields.length === 0 && <p className="notice">This queue has no fields. You can still write a note.</p>}
          {fields.map((field, at) => (
            <FieldControl
              key={field.name}
              field={field}
              state={saver.state(field.name)}
              isCurrent={at === current}
              onCurrent={() => annotation.setCurrent(at)}
              onChange={(value) => annotation.change(field.name, value)}
              onRefused={(why) => annotation.refuse(field.name, why)}
            />
          ))}
          {call !== null && (
            <CorrectedOutput
              output={call['output']}
              state={saver.state(correctionField)}
              onChange={(value) => annotation.change(correctionField, value)}
              onRefused={(why) => annotation.refuse(correctionField, why)}
            />
          )}
          <NoteControl {...saver.state(noteField)} onChange={(value) => annotation.change(noteField, value)} />
          <div className="row">
            <button type="button" className="primary" disabled={isLeaving} onClick={() => annotation.act({ do: 'complete' })}>
              Complete and next
            </button>
            <button type="button" disabled={isLeaving} onClick={() => annotation.act({ do: 'skip' })}>
              Skip
            </button>
            <button type="button" onClick={() => annotation.act({ do: 'undo' })}>
              Undo
            </button>
            <button type="button" aria-expanded={showsHelp} onClick={() => setShowsHelp((now) => !now)}>
              Keys
            </button>
          </div>
          {showsHelp && <AnnotateKeysHelp />}
          <OtherAnswers queue={queue.id} call={item.call_id} username={username} />
        </section>
      </div>
    </>
  )
}

interface CallProperties {
  call: Readonly<Record<string, unknown>>
  displayFields: readonly string[]
}

/** The values that the queue shows, and on demand the others of the call. */
function CallValues({ call, displayFields }: CallProperties) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <ValueList values={shownValues(call, displayFields)} />
      {displayFields.length > 0 && (
        <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary>The whole call</summary>
          {isOpen && <ValueList values={shownValues(call, [])} />}
        </details>
      )}
    </>
  )
}

function ValueList({ values }: { values: readonly ShownValue[] }) {
  return values.map(({ path, value }) => (
    <div key={path}>
      <h2>{path}</h2>
      {value === undefined ? (
        <p className="muted">The call has no such value.</p>
      ) : (
        <FormattedText text={toText(value)} label={path} isProse={typeof value === 'string'} />
      )}
    </div>
  ))
}

interface NoteProperties {
  value: unknown
  status: FieldState['status']
  problem: string | undefined
  onChange: (value: string | undefined) => void
}

function NoteControl({ value, status, problem, onChange }: NoteProperties) {
  const stored = typeof value === 'string' ? value : ''
  const [text, setText] = useState(stored)
  const [seen, setSeen] = useState(stored)
  if (seen !== stored) {
    setSeen(stored)
    setText(stored)
  }
  const commit = () => {
    if (text !== stored) onChange(text.trim() === '' ? undefined : text)
  }
  return (
    <div>
      <label htmlFor="note">Note</label>
      <NoteField id="note" rows={3} maxLength={1_000} value={text} data-commit="note" onChange={setText} onBlur={commit} />
      <p role="status" className={status === 'failed' ? 'problem' : 'muted'}>
        {statusTexts[status]}
        {problem !== undefined && `: ${problem}`}
      </p>
    </div>
  )
}
