import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { type Results, rowsAtOnce } from '../../../features/evaluations/evaluation-queries.ts'

interface Properties {
  results: Results
  isReading: boolean
  onMore: () => void
}

/** Shows how many rows are omitted, if any, and loads more of them. */
export function RowsLeftOut({ results: { rows, total }, isReading, onMore }: Properties) {
  if (total <= rows.length) return null
  const left = total - rows.length
  return (
    <Notice
      className="mx-4 mt-4"
      title={`${rows.length.toLocaleString('en')} of ${total.toLocaleString('en')} rows are shown and counted.`}
      actions={
        <Button loading={isReading} onClick={onMore}>
          {`Read ${left > rowsAtOnce ? `the next ${rowsAtOnce.toLocaleString('en')}` : `the other ${left.toLocaleString('en')}`}`}
        </Button>
      }
    />
  )
}
