import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useProject } from '../../../app/use-project.ts'
import { ModalDialog } from '../../../components/modal-dialog.tsx'
import { readableName } from '../../../components/readable-name.ts'
import { ShowQuery } from '../../../components/show-query.tsx'
import { type Condition, maxConditions, type Operator, withCondition } from '../call-condition.ts'
import { callQuery } from '../call-query.ts'
import { type CallsSearch, maxColumns } from '../calls-search.ts'
import { type CallTag, tagsOfCall } from '../tags/tags-of-call.ts'
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
  return (
    <ModalDialog label="Fields of the call" onClose={onClose}>
      <h2>Fields of the call</h2>
      <label htmlFor="find-field">Part of a field or of its value</label>
      <input id="find-field" autoComplete="off" value={find} onChange={({ target }) => setFind(target.value)} />
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
            <p className="problem">Call {id} was not found. It may have been deleted.</p>
          )
        }
      </ShowQuery>
      <button type="button" onClick={onClose}>
        Close
      </button>
    </ModalDialog>
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
  if (fields.length === 0 && tags.length === 0) return <p className="muted">No field matches.</p>
  return (
    <div className="scroll fields-of-call" tabIndex={0} role="region" aria-label="Fields">
      <table>
        <tbody>
          {tags.map(({ tag, condition }) => (
            <tr key={`tag ${tag}`}>
              <td>
                tag
                <div className="muted">{tag}</div>
              </td>
              <td>
                <button
                  type="button"
                  disabled={isFull}
                  aria-label={`Only these: tag ${readableName(tag)}`}
                  onClick={() => onCondition(condition)}
                >
                  Only these
                </button>
              </td>
            </tr>
          ))}
          {fields.map(({ path, text, value, isUsual }) => (
            <tr key={path}>
              <td>
                {path}
                <div className="muted">{text}</div>
              </td>
              <td>
                {value !== undefined &&
                  buttons.map(({ operator, title }) => (
                    <button
                      key={operator}
                      type="button"
                      disabled={isFull}
                      aria-label={`${title}: ${path}`}
                      onClick={() => onCondition({ path, operator, value })}
                    >
                      {title}
                    </button>
                  ))}
                {!isUsual && !columns.includes(path) && columns.length < maxColumns && (
                  <button type="button" aria-label={`Column: ${path}`} onClick={() => onColumn(path)}>
                    Column
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
