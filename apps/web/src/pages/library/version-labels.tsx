interface Properties {
  aliases: readonly string[] | null
  tags: readonly string[] | null
}

const maxShown = 20

/** The aliases and tags of a version. */
export function VersionLabels({ aliases, tags }: Properties) {
  const labels = [...(aliases ?? []).map((name) => `@${name}`), ...(tags ?? [])]
  return (
    <>
      {labels.slice(0, maxShown).map((label) => (
        <span key={label} className="tag">
          {label}
        </span>
      ))}
      {labels.length > maxShown && `and ${labels.length - maxShown} more`}
    </>
  )
}
