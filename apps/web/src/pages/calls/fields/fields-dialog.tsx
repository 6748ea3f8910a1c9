import { useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { useProject } from '../../../lib/use-project.ts'
import { readableName } from '../../../lib/texts/readable-name.ts'
import { ShowQuery } from '../../../ui/states/show-query.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Input } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { type Condition, maxConditions, type Operator, withCondition } from '../../../features/filter/call-condition.ts'
import { callQuery } from '../../../features/calls/call-query.ts'
import { type CallsSearch, maxColumns } from '../../../features/calls/calls-search.ts'
import { type CallTag, tagsOfCall } from '../../../features/calls/tags-of-call.ts'
import { type CallField, fieldsOfCall } from './fields-of-call.ts'

interface Properties {
  id: string
  where: readonly Condition[]
  columns: readonly string[]
  change: (part: CallsSearch) => void
  onClose: () => void
}

/** The values of a call, each of which may become a condition or a column of the list. */
export function FieldsDialog({ id, where, columns, change, onClose }: Properties) {
  const { id: project } = useProject()
  const [find, setFind] = useState('')
  const query = useQuery(callQuery(project, id))
  function choose(part: CallsSearch) {
    change(part)
    onClose()
  }
  const input = useRef<HTMLInputElement>(null)
  return (
    <Dialog
      open
      onClose={onClose}
      title="Fields of the call"
      initialFocus={input}
      width="w-160"
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <Input
        ref={input}
        icon={Search}
        aria-label="Find a field or a value"
        placeholder="Find a field or a value"
        autoComplete="off"
        value={find}
        onChange={({ target }) => setFind(target.value)}
      />
      <ShowQuery query={query} what="the call">
        {(call) =>
          call ? (
            <Fields
              fields={fieldsOfCall(call).filter(({ path, text }) => `${path} ${text}`.toLowerCase().includes(find.toLowerCase()))}
              tags={tagsOfCall(call).filter(({ tag }) => `tags ${tag}`.toLowerCase().includes(find.toLowerCase()))}
              columns={columns}
              isFull={where.length >= maxConditions}
              onCondition={(condition) => choose({ where: withCondition(where, condition) })}
              onColumn={(path) => choose({ columns: [...columns, path] })}
            />
          ) : (
            <Notice tone="error" title={`Call ${id} was not found`} className="mt-3">
              It may have been deleted.
            </Notice>
          )
        }
      </ShowQuery>
    </Dialog>
  )
}

interface FieldsProperties {
  fields: readonly CallField[]
  tags: readonly CallTag[]
  columns: readonly string[]
  /** There are as many conditions as a list may have. */
  isFull: boolean
  onCondition: (condition: Condition) => void
  onColumn: (path: string) => void
}

const buttons: readonly { operator: Operator; title: string }[] = [
  { operator: '=', title: 'Only these' },
  { operator: '!=', title: 'Not these' },
]

function Fields({ fields, tags, columns, isFull, onCondition, onColumn }: FieldsProperties) {
  if (fields.length === 0 && tags.length === 0) return <p className="py-6 text-center text-fg-3">No field matches.</p>
  return (
    <div
      tabIndex={0}
      role="region"
      aria-label="Fields"
      className="-mx-5 mt-3 max-h-[45vh] overflow-auto border-t border-line -outline-offset-2"
    >
      <ul>
        {tags.map(({ tag, condition }) => (
          <Line key={`tag ${tag}`} name="tag" value={tag}>
            <Button disabled={isFull} aria-label={`Only these: tag ${readableName(tag)}`} onClick={() => onCondition(condition)}>
              Only these
            </Button>
          </Line>
        ))}
        {fields.map(({ path, text, value, isUsual }) => (
          <Line key={path} name={path} value={text}>
            {value !== undefined &&
              buttons.map(({ operator, title }) => (
                <Button
                  key={operator}
                  disabled={isFull}
                  aria-label={`${title}: ${path}`}
                  onClick={() => onCondition({ path, operator, value })}
                >
                  {title}
                </Button>
              ))}
            {!isUsual && !columns.includes(path) && columns.length < maxColumns && (
              <Button aria-label={`Column: ${path}`} onClick={() => onColumn(path)}>
                Column
              </Button>
            )}
          </Line>
        ))}
      </ul>
    </div>
  )
}

function Line({ name, value, children }: { name: string; value: string; children: ReactNode }) {
  return (
    <li className="flex min-h-11 items-center gap-3 border-b border-line px-5 py-1.5">
      <span className="min-w-0 grow">
        <span className="mono block truncate text-fg-2" data-tip={name} data-cut="">
          {name}
        </span>
        <span className="block truncate" data-tip={value} data-cut="">
          {value}
        </span>
      </span>
      <span className="flex shrink-0 gap-1">{children}</span>
    </li>
  )
}
