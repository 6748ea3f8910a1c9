import { parseExactJson } from '@heddle/json/exact'
import { PencilLine, Trash2, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '../../../lib/texts/message-of.ts'
import { LongText } from '../../../ui/texts/long-text.tsx'
import { toText } from '../../../lib/texts/to-text.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Skeleton } from '../../../ui/card.tsx'
import { Drawer } from '../../../ui/dialog.tsx'
import { Field, Textarea } from '../../../ui/field.tsx'
import { JsonView } from '../../../ui/json-view.tsx'
import { ShowDiff } from '../../../features/diff/show-diff.tsx'
import { isRow, type Row } from './parse-rows.ts'
import { cellOf } from './row-columns.ts'

interface Properties {
  place: number
  /** Undefined until it is read. */
  value: Row | undefined
  /** The row of the previous version at its index. Undefined if it is the same. */
  before: { value: unknown; version: string } | undefined
  isRemoved: boolean
  /** Undefined for a row that is not saved yet. */
  onChange: ((row: Row) => void) | undefined
  onRemove: () => void
  onClose: () => void
}

/** One row in full next to the list, and an editor for its JSON. */
export function RowPanel({ place, value, before, isRemoved, onChange, onRemove, onClose }: Properties) {
  const [isEditing, setIsEditing] = useState(false)
  return (
    <Drawer
      open
      onClose={onClose}
      title={`Row ${place.toLocaleString('en')}${isRemoved ? ', removed' : ''}`}
      width="w-110"
      actions={
        value !== undefined &&
        !isEditing && (
          <>
            <IconButton label={isRemoved ? 'Keep row' : 'Remove row'} icon={isRemoved ? Undo2 : Trash2} onClick={onRemove} />
            {onChange && (
              <Button icon={PencilLine} onClick={() => setIsEditing(true)}>
                Edit
              </Button>
            )}
          </>
        )
      }
    >
      {value === undefined ? (
        <div className="flex flex-col gap-3 p-4" aria-busy="true">
          <Skeleton className="h-4 w-24" />
          <Skeleton className="h-16" />
          <Skeleton className="h-16" />
        </div>
      ) : isEditing && onChange ? (
        <RowEditor
          value={value}
          onChange={(row) => {
            onChange(row)
            setIsEditing(false)
          }}
          onCancel={() => setIsEditing(false)}
        />
      ) : (
        <div className="flex flex-col gap-4 p-4">
          {Object.keys(value).map((name) => (
            <Cell key={name} name={name} value={value[name]} before={before} />
          ))}
        </div>
      )}
    </Drawer>
  )
}

/** Longer texts are shown in pieces. */
const proseCharacters = 2_000

function Cell({ name, value, before }: { name: string; value: unknown } & Pick<Properties, 'before'>) {
  const old = before === undefined ? undefined : cellOf(before.value, name)
  const isChanged = before !== undefined && toText(old ?? null) !== toText(value ?? null)
  return (
    <section aria-label={name.slice(0, 200)}>
      <h3 className="mb-1 text-xs font-medium text-fg-2 [overflow-wrap:anywhere]">
        {name.slice(0, 200)} {isChanged && <span className="font-normal text-fg-3">changed since {before.version}</span>}
      </h3>
      {isChanged ? (
        <div className="overflow-hidden rounded-lg border border-line">
          <ShowDiff before={toText(old ?? null)} after={toText(value ?? null)} />
        </div>
      ) : typeof value === 'string' && value.length <= proseCharacters ? (
        <p className="rounded-lg border border-line bg-sunken p-3 whitespace-pre-wrap [overflow-wrap:anywhere]">{value}</p>
      ) : typeof value === 'string' ? (
        <LongText text={value} label={name.slice(0, 200)} />
      ) : (
        <JsonView value={value} label={name.slice(0, 200)} />
      )}
    </section>
  )
}

interface EditorProperties {
  value: Row
  onChange: (row: Row) => void
  onCancel: () => void
}

function RowEditor({ value, onChange, onCancel }: EditorProperties) {
  const [text, setText] = useState(() => toText(value))
  const [problem, setProblem] = useState<string>()
  function apply() {
    const row = readRow(text)
    if (typeof row === 'string') setProblem(row)
    else onChange(row)
  }
  return (
    <div className="flex flex-col gap-3 p-4">
      <Field label="Row as JSON" {...(problem !== undefined && { error: problem })}>
        {(ids) => <Textarea {...ids} className="mono" rows={18} value={text} onChange={({ target }) => setText(target.value)} />}
      </Field>
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button variant="primary" onClick={apply}>
          Change row
        </Button>
      </div>
    </div>
  )
}

/** The row, or a message about the problem of the text. */
function readRow(text: string): Row | string {
  try {
    const value = parseExactJson(text)
    return isRow(value) ? value : 'A row must be a JSON object: { "column": value }'
  } catch (error) {
    return `Not JSON: ${messageOf(error)}`
  }
}
