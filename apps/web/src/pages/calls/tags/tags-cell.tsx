import { readableName } from '../../../components/readable-name.ts'
import type { Condition } from '../call-condition.ts'
import type { CallTag } from './tags-of-call.ts'

const shown = 3

/** The first tags of a call, each of which selects the calls that have it. The others are counted; the fields of the call have them all. */
export function TagsCell({ tags, onCondition }: { tags: readonly CallTag[]; onCondition: (condition: Condition) => void }) {
  const further = tags.length - shown
  return (
    <>
      {tags.slice(0, shown).map(({ tag, condition }) => (
        <button
          key={tag}
          type="button"
          className="small tag-button"
          aria-label={`Only calls with the tag ${readableName(tag)}`}
          onClick={() => onCondition(condition)}
        >
          {tag}
        </button>
      ))}
      {further > 0 && <span className="muted">+{further}</span>}
    </>
  )
}
