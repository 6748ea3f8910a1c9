import type { Call } from '@heddle/core-api/types'
import { stringifyJson } from '@heddle/json/exact'
import { useMutation } from '@tanstack/react-query'
import { Download, Square } from 'lucide-react'
import { exactClient } from '../../../lib/server/client.ts'
import { useProject } from '../../../lib/use-project.ts'
import { saveFile } from '../../../lib/save-file.ts'
import { Button } from '../../../ui/button.tsx'
import { Menu, MenuItem } from '../../../ui/menu.tsx'
import { toast } from '../../../ui/toast.tsx'
import { partSize } from '../../../features/calls/parts/in-parts.ts'
import { otlpOfCalls } from './otlp-of-calls.ts'
import { useParts } from '../../../features/calls/parts/use-parts.ts'

/** Characters of a file. A browser holds it whole. */
const maxCharacters = 200_000_000

interface FileText {
  text: string
  /** Calls that the file leaves out, being no spans. */
  leftOut: number
}

/** How calls become a file. */
interface Format {
  name: (project: string) => string
  type: string
  write: (calls: readonly Call[]) => FileText
  /** Joins the output of the parts. */
  join: (texts: readonly string[]) => string[]
}

/** Saves calls as a file, in the order in which they were selected: whole, one JSON text a line, or the spans that they were. */
export function ExportCalls({ ids }: { ids: readonly string[] }) {
  const { id: project_id } = useProject()
  const parts = useParts()
  const run = useMutation({
    mutationFn: async (format: Format) => {
      let characters = 0
      const outcome = await parts.run(ids, async (part, signal) => {
        const calls = await readCalls({ project_id, ids: part, signal })
        const written = format.write(calls)
        characters += written.text.length
        if (characters > maxCharacters)
          throw new RangeError(`The file would have more than ${maxCharacters.toLocaleString('en')} characters: select fewer calls.`)
        return { ...written, found: calls.length }
      })
      if ('error' in outcome) throw outcome.error
      if (outcome.isStopped) return undefined
      const sum = (name: 'found' | 'leftOut') => outcome.results.reduce((all, result) => all + result[name], 0)
      const [found, leftOut] = [sum('found'), sum('leftOut')]
      // Without any span there is nothing to save.
      if (found > leftOut || format === lines)
        saveFile({ name: format.name(project_id), type: format.type, text: format.join(outcome.results.map(({ text }) => text)) })
      return { gone: ids.length - found, leftOut }
    },
    onSuccess(saved) {
      if (saved === undefined) return toast({ tone: 'info', title: 'Export stopped', text: 'No file was saved.' })
      const { gone, leftOut } = saved
      const notes = [gone > 0 && `${gone} of them are not there any more.`, leftOut > 0 && leftOutText(leftOut)].filter(Boolean)
      toast({ tone: 'ok', title: 'Exported', ...(notes.length > 0 && { text: notes.join(' ') }) })
    },
    onError: (error) => toast({ tone: 'error', title: 'Nothing was saved', error }),
  })
  if (run.isPending) {
    return (
      <Button variant="ghost" icon={Square} aria-busy onClick={parts.stop}>
        {ids.length > partSize ? `Stop at ${parts.done.toLocaleString('en')} of ${ids.length.toLocaleString('en')}` : 'Stop'}
      </Button>
    )
  }
  return (
    <Menu
      label="Export"
      placement="top-start"
      trigger={
        <Button variant="ghost" icon={Download}>
          Export
        </Button>
      }
    >
      <MenuItem onClick={() => run.mutate(lines)}>JSON Lines</MenuItem>
      <MenuItem onClick={() => run.mutate(spans)}>OTLP JSON</MenuItem>
    </Menu>
  )
}

/** The existing ones among some calls, in the order of their ids. */
async function readCalls({ project_id, ids, signal }: { project_id: string; ids: readonly string[]; signal: AbortSignal }) {
  const found = new Map<string, Call>()
  const query = { project_id, filter: { call_ids: [...ids] }, include_costs: true }
  for await (const call of exactClient.calls.streamQuery(query, { signal })) found.set(call.id, call)
  return ids.flatMap((id) => found.get(id) ?? [])
}

const leftOutText = (count: number) => `${count} of them ${count === 1 ? 'was not a span and is' : 'were not spans and are'} left out.`

const lines: Format = {
  name: (project) => `calls-of-${project}.jsonl`,
  type: 'application/x-ndjson',
  write: (calls) => ({ text: calls.map((call) => `${stringifyJson(call)}\n`).join(''), leftOut: 0 }),
  join: (texts) => [...texts],
}

const spans: Format = {
  name: (project) => `spans-of-${project}.json`,
  type: 'application/json',
  write(calls) {
    const { request, leftOut } = otlpOfCalls(calls)
    return { text: request.resourceSpans.map((resource) => stringifyJson(resource)).join(','), leftOut }
  },
  join: (texts) => ['{"resourceSpans":[', texts.filter((text) => text !== '').join(','), ']}'],
}
