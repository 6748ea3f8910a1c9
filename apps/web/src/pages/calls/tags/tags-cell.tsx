import { readableName } from '../../../lib/texts/readable-name.ts'
import type { Condition } from '../../../features/filter/call-condition.ts'
import type { CallTag } from '../../../features/calls/tags-of-call.ts'
import { ShapedButton } from '../../../ui/shaped-button.tsx'

const shown = 2

/** The first tags of a call, each of which selects the calls that have it. Further ones are counted; the fields of the call list all. */
export function TagsCell({ tags, onCondition }: { tags: readonly CallTag[]; onCondition: (condition: Condition) => void }) {
  const further = tags.length - shown
  return (
    <span className="flex items-center gap-1">
      {tags.slice(0, shown).map(({ tag, condition }) => (
        <ShapedButton
          key={tag}
          aria-label={`Only calls with the tag ${readableName(tag)}`}
          onClick={() => onCondition(condition)}
          className="h-6 max-w-24 min-w-6 truncate rounded-sm border border-line px-1.5 text-xs text-fg-2 pressable hover:text-fg"
        >
          {tag}
        </ShapedButton>
      ))}
      {further > 0 && <span className="text-xs text-fg-3">+{further}</span>}
    </span>
  )
}
