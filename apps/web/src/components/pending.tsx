/** Shown while the first data of a page is read. */
export function Pending({ what }: { what: string }) {
  return (
    <p aria-busy="true" role="status" className="muted">
      Reading {what} …
    </p>
  )
}
