/** How many items of a queue are completed or skipped. */
export function QueueProgress({ done, total }: { done: number; total: number }) {
  if (total === 0) return <>no items</>
  return (
    <>
      <progress max={total} value={done} aria-label={`${done} of ${total} items are done`} /> {done} of {total}
    </>
  )
}
