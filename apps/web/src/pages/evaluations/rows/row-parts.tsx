import { Rows3 } from 'lucide-react'
import { LongText } from '../../../ui/texts/long-text.tsx'
import { toText } from '../../../lib/texts/to-text.ts'
import { Fold } from '../../../ui/fold.tsx'
import { partsOfRow } from './parts-of-row.ts'
import { ShownValue } from './shown-value.tsx'

/** Question and expected output of a row, next to each other, and all of its columns. */
export function RowParts({ row }: { row: unknown }) {
  const { input, expected } = partsOfRow(row)
  const isWhole = input === row
  return (
    <>
      <div className={expected === undefined ? 'border-b border-line' : 'grid grid-cols-1 border-b border-line lg:grid-cols-[2fr_1fr]'}>
        <Part title="Input" label={isWhole ? 'Row of the dataset' : 'Input'} value={input} />
        {expected !== undefined && (
          <div className="border-line max-lg:border-t lg:border-l">
            <Part title="Expected" label="Expected" value={expected} />
          </div>
        )}
      </div>
      {!isWhole && (
        <div className="border-b border-line px-4 py-2">
          <Fold icon={Rows3} title="All columns">
            <LongText text={toText(row)} label="Row of the dataset" />
          </Fold>
        </div>
      )}
    </>
  )
}

const Part = ({ title, label, value }: { title: string; label: string; value: unknown }) => (
  <section className="min-w-0 p-4">
    <h2 className="mb-1 text-xs font-medium text-fg-2">{title}</h2>
    <ShownValue value={value} label={label} />
  </section>
)
