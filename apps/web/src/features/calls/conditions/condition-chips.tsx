import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { CallsSearch } from '../calls-search.ts'
import { totalsText } from '../totals/least-totals.ts'
import type { Condition } from '../../filter/call-condition.ts'
import { inWords } from '../../filter/calls-filter.ts'
import { conditionText, pathText, valueText } from '../../filter/parse-filter.ts'
import { ShapedButton } from '../../../ui/shaped-button.tsx'

interface Properties {
  search: Pick<CallsSearch, 'where' | 'filter' | 'text' | 'traces' | 'status' | 'review'>
  change: (part: CallsSearch) => void
  /** Puts the text of a chip into a field. Default: chips can only be removed. */
  onEdit?: (text: string) => void
}

/** What selects the rows, each part with a way to change it and to remove it. */
export function ConditionChips({ search, change, onEdit }: Properties) {
  const { where = [], filter, text, traces, status, review } = search
  const without = (at: number) => {
    const others = where.filter((_, other) => other !== at)
    return { where: others.length > 0 ? others : undefined }
  }
  const edits = (words: string, part: CallsSearch) =>
    onEdit &&
    (() => {
      onEdit(words)
      change(part)
    })
  return (
    <>
      {status === 'error' && (
        <Chip name="status = failed" onRemove={() => change({ status: undefined })}>
          <Words field="status" operator="=" value="failed" />
        </Chip>
      )}
      {review === 'none' && (
        <Chip name="feedback = none" onRemove={() => change({ review: undefined })}>
          <Words field="feedback" operator="=" value="none" />
        </Chip>
      )}
      {text !== undefined && (
        <Chip name={`text ${JSON.stringify(text)}`} onRemove={() => change({ text: undefined })} onEdit={edits(text, { text: undefined })}>
          <Words field="text" operator="contains" value={text} />
        </Chip>
      )}
      {where.map((condition, at) => (
        <Chip
          key={conditionText(condition)}
          name={conditionText(condition)}
          onRemove={() => change(without(at))}
          onEdit={edits(conditionText(condition), without(at))}
        >
          <ConditionWords {...inWords(condition)} />
        </Chip>
      ))}
      {filter !== undefined && (
        <Chip name={filter} onRemove={() => change({ filter: undefined })} onEdit={edits(filter, { filter: undefined })}>
          <span className="mono truncate">{filter}</span>
        </Chip>
      )}
      {traces !== undefined && (
        <Chip name={totalsText(traces)} onRemove={() => change({ traces: undefined })}>
          <span className="text-fg-2">traces</span>
          <span className="truncate font-medium">{totalsText(traces)}</span>
        </Chip>
      )}
    </>
  )
}

const ConditionWords = ({ path, operator, value }: Condition) => (
  <Words field={pathText(path)} operator={operator} value={valueText(value)} />
)

function Words({ field, operator, value }: { field: string; operator: string; value: string }) {
  return (
    <>
      <span className="truncate text-fg-2">{field}</span>
      <span className="text-fg-3">{operator}</span>
      <span className="truncate font-medium">{value}</span>
    </>
  )
}

interface ChipProperties {
  /** Text of the condition, as it would be typed. */
  name: string
  onRemove: () => void
  onEdit?: (() => void) | undefined
  children: ReactNode
}

function Chip({ name, onRemove, onEdit, children }: ChipProperties) {
  const words = 'flex h-full min-w-0 items-center gap-1 px-1.5'
  return (
    <span className="inline-flex h-6 max-w-88 items-center overflow-hidden rounded-sm border border-line-2 bg-sunken text-xs">
      {onEdit ? (
        <ShapedButton
          aria-label={`Edit the condition ${name}`}
          data-tip={name}
          onClick={onEdit}
          className={`${words} -outline-offset-2 pressable`}
        >
          {children}
        </ShapedButton>
      ) : (
        <span data-tip={name} className={words}>
          {children}
        </span>
      )}
      <ShapedButton
        aria-label={`Remove the condition ${name}`}
        onClick={onRemove}
        className="flex h-full w-6 shrink-0 items-center justify-center border-l border-line text-fg-3 -outline-offset-2 pressable hover:text-fg"
      >
        <X size={12} aria-hidden />
      </ShapedButton>
    </span>
  )
}
