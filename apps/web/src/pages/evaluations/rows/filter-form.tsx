import { Plus, X } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { Select } from '../../../ui/select.tsx'
import { measureTitle } from '../measure-text.ts'
import type { FilterProperties } from './filter-properties.ts'
import { maxKept } from './kept-ranges.ts'
import { maxRunFilters, type RunFilter } from '../../../features/evaluations/run-filters.ts'

const placeholder = 'scores.correct = false and outputs contains "sorry"'
const any = ''
const anyValue = { from: undefined, to: undefined, againstFrom: undefined, againstTo: undefined, of: undefined }

/** A range of the score, and on demand, an expression on the trials of any run or of each of several. */
export function FilterForm(properties: FilterProperties) {
  const { name, onExpression } = properties
  return (
    <div className="flex flex-col gap-4">
      {name !== '' && <RangeFields {...properties} />}
      {onExpression && <ExpressionForm {...properties} onExpression={onExpression} />}
    </div>
  )
}

function RangeFields({ search, name, labels, onRange }: FilterProperties) {
  const { from, to, of, against, ranges = [] } = search
  const isSet = [from, to, search.againstFrom, search.againstTo].some((one) => one !== undefined)
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-2 font-semibold">{measureTitle(name)}</legend>
      <Ends label={['From', 'To']} ends={[from, to]} onChange={([low, high]) => onRange({ from: low, to: high })} />
      {against !== undefined && (
        <Ends
          label={[`${measureTitle(against)} from`, `${measureTitle(against)} to`]}
          ends={[search.againstFrom, search.againstTo]}
          onChange={([low, high]) => onRange({ againstFrom: low, againstTo: high })}
        />
      )}
      {labels.length > 1 && (
        <RunSelect
          label="Of run"
          labels={labels}
          value={of === undefined ? any : String(of)}
          onChange={(value) => onRange({ of: value === any ? undefined : Number(value) })}
        />
      )}
      <div className="flex gap-2">
        {(from !== undefined || to !== undefined) && ranges.length < maxKept && (
          <Button onClick={() => onRange({ from: undefined, to: undefined, of: undefined, ranges: [...ranges, { name, from, to, of }] })}>
            Keep range
          </Button>
        )}
        {isSet && <Button onClick={() => onRange(anyValue)}>All values</Button>}
      </div>
    </fieldset>
  )
}

type End = number | undefined

interface EndsProperties {
  label: readonly [string, string]
  ends: readonly [End, End]
  onChange: (ends: [End, End]) => void
}

function Ends({ label, ends, onChange }: EndsProperties) {
  return (
    <div className="grid grid-cols-2 gap-2">
      {([0, 1] as const).map((at) => (
        <Field key={at} label={label[at]}>
          {(ids) => (
            <Input
              {...ids}
              type="number"
              step="any"
              value={ends[at] === undefined ? '' : Number(ends[at].toPrecision(6))}
              onChange={({ target }) => {
                const end = target.value === '' ? undefined : target.valueAsNumber
                onChange(at === 0 ? [end, ends[1]] : [ends[0], end])
              }}
            />
          )}
        </Field>
      ))}
    </div>
  )
}

interface RunProperties {
  label: string
  labels: readonly string[]
  /** Number of the run, from 1; empty for any. */
  value: string
  onChange: (value: string) => void
}

const RunSelect = ({ label, labels, value, onChange }: RunProperties) => (
  <Select
    label={label}
    inside
    value={value}
    choices={[{ value: any, label: 'Any' }, ...labels.map((one, at) => ({ value: String(at + 1), label: `${at + 1}. ${one}` }))]}
    onChange={onChange}
    className="max-w-full self-start"
  />
)

function ExpressionForm({ search, runs, labels, onExpression }: FilterProperties & Required<Pick<FilterProperties, 'onExpression'>>) {
  const { filter: given = '', filterIn, filters = [] } = search
  const [text, setText] = useState(given)
  const [added, setAdded] = useState<readonly RunFilter[]>(filters)
  const placeOf = (id: string | undefined) => {
    const at = runs.findIndex((run) => run.id === id)
    return at < 0 ? any : String(at + 1)
  }
  const idOf = (place: string) => runs[Number(place) - 1]?.id
  function filterBy(run: string | undefined) {
    const kept = added.filter(({ filter }) => filter.trim() !== '').map((line) => ({ ...line, filter: line.filter.trim() }))
    onExpression({ filter: text.trim() || undefined, filterIn: run, filters: kept.length > 0 ? kept : undefined })
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    filterBy(filterIn)
  }
  const change = (at: number, changed: Partial<RunFilter>) => added.map((line, place) => (place === at ? { ...line, ...changed } : line))
  return (
    <form className="flex flex-col gap-3 border-t border-line pt-4" onSubmit={submit}>
      <TextField
        label="Rows where"
        help="Fields: scores.(name), inputs, outputs, output and row_digest, each with a path; and, or, not, brackets. Conditions on several runs must all hold."
        value={text}
        maxLength={4_000}
        placeholder={placeholder}
        onChange={setText}
      />
      <RunSelect label="In run" labels={labels} value={placeOf(filterIn)} onChange={(place) => filterBy(idOf(place))} />
      {added.map((line, at) => (
        // Lines differ only by their index.
        <fieldset key={String(at)} aria-label={`Condition ${at + 2}`} className="flex flex-col gap-2">
          <div className="flex items-end gap-2">
            <TextField
              label="And where"
              className="grow"
              value={line.filter}
              maxLength={4_000}
              placeholder={placeholder}
              onChange={(next) => setAdded(change(at, { filter: next }))}
            />
            <IconButton label="Remove condition" icon={X} size="md" onClick={() => setAdded(added.toSpliced(at, 1))} />
          </div>
          <RunSelect
            label="Its run"
            labels={labels}
            value={placeOf(line.in)}
            onChange={(place) => setAdded(change(at, { in: idOf(place) ?? '' }))}
          />
        </fieldset>
      ))}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary">
          Apply
        </Button>
        {added.length < maxRunFilters && (
          <Button icon={Plus} onClick={() => setAdded([...added, { in: runs[added.length + 1]?.id ?? runs[0]?.id ?? '', filter: '' }])}>
            Condition on another run
          </Button>
        )}
        {(given !== '' || filters.length > 0) && (
          <Button
            onClick={() => {
              setText('')
              setAdded([])
              onExpression({ filter: undefined, filterIn: undefined, filters: undefined })
            }}
          >
            Clear
          </Button>
        )}
      </div>
    </form>
  )
}
