import { type RefObject, useState } from 'react'
import { FilterInput } from './filter-input.tsx'
import type { FilterProblem } from './read-tokens.ts'

interface Properties {
  project: string
  input: RefObject<HTMLInputElement | null>
  text: string
  /** Fields that are offered beside the usual ones. */
  paths: readonly string[]
  problem: FilterProblem | undefined
  onText: (text: string) => void
}

const usualPaths = ['op_name', 'display_name', 'started_at', 'trace_id', 'thread_id', 'exception', 'summary.weave.latency_ms']

/** The field of a filter, with offers for what comes next where the cursor is. */
export function FilterField({ project, input, text, paths, problem, onText }: Properties) {
  const [cursor, setCursor] = useState<number>()
  return (
    <>
      <label htmlFor="filter-text">Filter</label>
      <FilterInput
        project={project}
        input={input}
        text={text}
        cursor={cursor}
        paths={[...new Set([...usualPaths, ...paths])]}
        problem={problem}
        write={(next, at) => {
          if (next !== text) onText(next)
          setCursor(at)
        }}
        leave={() => setCursor(undefined)}
      />
    </>
  )
}

/** What is wrong with a filter, and where. */
export function FilterProblemText({ problem }: { problem: FilterProblem | undefined }) {
  if (problem === undefined) return null
  return (
    <p id="filter-problem" role="alert" className="problem">
      {problem.message}, at character {problem.at + 1}
    </p>
  )
}
