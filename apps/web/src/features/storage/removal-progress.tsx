interface RemovalProgressProps {
  total: number
  removed: number
  /** Noun for the removed items, in the plural. */
  of: string
}

/** How many of the records that were there when deletions began are removed. */
export function RemovalProgress({ total, removed, of }: RemovalProgressProps) {
  // Records that arrived since then are removed as well.
  const done = Math.min(removed, total)
  return (
    <>
      {done.toLocaleString('en')} of {total.toLocaleString('en')} {of}{' '}
      <progress className="h-1.5 w-32 accent-accent" value={done} max={total} aria-label={`Removed ${of}`} />
    </>
  )
}
