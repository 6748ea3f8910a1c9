import { useMutation, useQuery } from '@tanstack/react-query'
import { Square } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useProject } from '../../../lib/use-project.ts'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast.tsx'
import { callCountQuery } from '../../../features/calls/counts/call-counts.ts'
import type { ListedCalls } from '../../../features/calls/totals/known-traces.ts'
import { matchingCalls } from './matching-calls.ts'
import { maxSelected, type Selection } from './use-selection.ts'

/** Selects also those of the list that are not loaded. Nothing where all of it is selected. Another list is another component. */
export function SelectMatching({ selection, listed }: { selection: Selection; listed: ListedCalls }) {
  const { id } = useProject()
  const { data } = useQuery(callCountQuery(id, listed))
  const [known, setKnown] = useState(0)
  const reading = useRef<AbortController>(undefined)
  useEffect(() => () => reading.current?.abort(), [])
  const read = useMutation({
    mutationFn: () => {
      const { signal } = (reading.current = new AbortController())
      setKnown(0)
      return matchingCalls(id, listed, { signal, onCount: setKnown })
    },
    onSuccess: selection.setMatching,
    onError(error) {
      if (reading.current?.signal.aborted !== true) toast({ tone: 'error', title: 'Selection unchanged', error })
    },
  })
  if (read.isPending) {
    return (
      <Button variant="ghost" icon={Square} aria-busy onClick={() => reading.current?.abort()}>
        {known === 0 ? 'Stop selecting' : `Stop at ${known.toLocaleString('en')}`}
      </Button>
    )
  }
  if (data === undefined || selection.isMatching || data.count <= selection.ids.size) return null
  return (
    <Button variant="ghost" onClick={() => read.mutate()}>
      {data.has_more
        ? `Select the first ${maxSelected.toLocaleString('en')} that match`
        : `Select all ${data.count.toLocaleString('en')} that match`}
    </Button>
  )
}
