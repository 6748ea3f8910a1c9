import { cx } from '../../lib/cx.ts'
import { Badge, Tag } from '../../ui/badge.tsx'

interface Properties {
  aliases: readonly string[] | null
  tags: readonly string[] | null
}

const maxShown = 20
/** Characters that fit in the least width of a longer one. */
const shortLength = 8

/** The aliases and tags of a version. */
export function VersionLabels({ aliases, tags }: Properties) {
  const [named, labels] = [aliases ?? [], tags ?? []]
  const left = named.length + labels.length - maxShown
  return (
    <>
      {named.slice(0, maxShown).map((name) => (
        <Badge
          key={`@${name}`}
          tone={name === 'production' ? 'green' : name === 'latest' ? 'neutral' : 'accent'}
          // A long alias is cut where its row has no room, and a short one is as wide as its text.
          className={cx('max-w-48', name.length > shortLength ? 'min-w-16' : 'shrink-0')}
        >
          <span className="truncate">@{name}</span>
        </Badge>
      ))}
      {labels.slice(0, Math.max(0, maxShown - named.length)).map((label) => (
        <Tag key={label}>{label}</Tag>
      ))}
      {left > 0 && <span className="text-xs text-fg-3">+{left}</span>}
    </>
  )
}
