import { Badge, Tag } from '../../ui/badge.tsx'

interface Properties {
  aliases: readonly string[] | null
  tags: readonly string[] | null
}

const maxShown = 20

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
          className="max-w-48 min-w-16"
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
