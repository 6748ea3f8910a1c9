import type { TracingClient } from '../../connect.ts'
import { writeCalls } from '../../export/import-calls.ts'
import type { ForeignRun, ForeignRunItem, JsonObject } from '../foreign-item.ts'
import type { ImportTarget } from '../import-target.ts'
import { importedName } from '../imported-name.ts'
import type { PublishedDataset } from '../write-datasets.ts'
import { findItemCalls, type ItemCall } from './find-item-calls.ts'
import { findRowRefs, type RowRef } from './find-row-refs.ts'
import { runCall, type RunPlace, trialCalls } from './run-calls.ts'

/** Of one run. */
const maxItems = 250_000
const itemsAtOnce = 200

export interface RunsWriter {
  addRun(run: ForeignRun): void
  addItem(item: ForeignRunItem): void
  /** Writes the runs. To be called when calls and scores are stored; `datasets`: those of this import. */
  end(datasets: readonly PublishedDataset[]): Promise<void>
}

interface RunsTarget extends ImportTarget {
  onStep: (step: string) => void
}

interface CollectedRun {
  run: ForeignRun
  items: ForeignRunItem[]
}

type ObjectCreation = Parameters<TracingClient['objects']['create']>[0]

/** Collects runs of datasets with their items, at most 250,000 of each, and writes each as an evaluation run whose trials have outputs and scores of stored calls. */
export function createRunsWriter(target: RunsTarget): RunsWriter {
  const { client, project, counts, onStep } = target
  const runs = new Map<string, CollectedRun>()

  function collected(run: Pick<ForeignRun, 'id' | 'name'>): CollectedRun {
    const known = runs.get(run.id) ?? { run: { ...run, dataset: undefined, details: {} }, items: [] }
    runs.set(run.id, known)
    return known
  }

  async function writeTrials(place: RunPlace, items: readonly ForeignRunItem[], rows: ReadonlyMap<string, RowRef>): Promise<ItemCall[]> {
    const calls = await findItemCalls({ client, project, items })
    const records: JsonObject[] = []
    for (const item of items) {
      const call = calls.get(item.id)
      const row = rows.get(item.row)?.row
      if (call === undefined) counts.skip('items of dataset runs', 'their trace is not in the project')
      else records.push(...trialCalls(place, { item, call, example: row ?? { id: item.row } }))
      if (call !== undefined && row === undefined) counts.skip('links of run items to rows', 'the item is not in the export')
    }
    await writeCalls(client, project, records)
    counts.count('trials', calls.size)
    return [...calls.values()]
  }

  async function writeRun({ run, items }: CollectedRun, rows: ReadonlyMap<string, RowRef>): Promise<void> {
    const row = items.map((item) => rows.get(item.row)).find((found) => found !== undefined)
    const place = await publish(target, run, row)
    const times: string[] = []
    for (let start = 0; start < items.length; start += itemsAtOnce) {
      const calls = await writeTrials(place, items.slice(start, start + itemsAtOnce), rows)
      times.push(...calls.flatMap(({ started_at, ended_at }) => [started_at, ended_at ?? started_at]))
      // All times are in one format, so that their order is that of the texts.
      times.splice(0, times.length, ...times.toSorted().filter((_, at, all) => at === 0 || at === all.length - 1))
      onStep(`Importing the run ${run.name}: ${Math.min(start + itemsAtOnce, items.length)}`)
    }
    const [started_at, ended_at = started_at] = times
    if (started_at === undefined || ended_at === undefined) return
    await writeCalls(client, project, [runCall(place, { started_at, ended_at })])
    counts.count('evaluation runs')
  }

  return {
    addRun(run) {
      collected(run).run = run
    },
    addItem(item) {
      const { items } = collected(item.run)
      if (items.length < maxItems) items.push(item)
      else counts.skip('items of dataset runs', `the run has more than ${maxItems.toLocaleString('en')}`)
    },
    async end(datasets) {
      const ids = new Set([...runs.values()].flatMap(({ items }) => items.map(({ row }) => row)))
      const rows = ids.size === 0 ? new Map<string, RowRef>() : await findRowRefs({ client, project, datasets, ids })
      for (const run of runs.values()) {
        if (run.items.length > 0) await writeRun(run, rows)
        else counts.skip('dataset runs', 'the export has none of their items')
      }
    },
  }
}

/** Publishes what a run refers to: an evaluation of its dataset, and a model that has its name, since the export names none. */
async function publish({ client, project }: RunsTarget, run: ForeignRun, row: RowRef | undefined): Promise<RunPlace> {
  const [entity = '', name = ''] = project.split('/')
  const dataset = run.dataset ?? row?.name ?? run.name
  const { evaluation_ref } = await client.evaluations.create({
    entity,
    project: name,
    name: `${importedName('dataset', dataset)} evaluation`,
    dataset: row?.dataset ?? '',
    scorers: [],
    trials: 1,
  })
  const modelName = importedName('run', run.name)
  const val = { _type: 'Model', _class_name: 'Model', _bases: ['Object', 'BaseModel'], name: run.name, ...run.details }
  const { digest } = await client.objects.create({ obj: { project_id: project, object_id: `${modelName}-model`, val } } as ObjectCreation)
  return {
    project,
    run,
    evaluation: evaluation_ref,
    model: `weave:///${project}/object/${modelName}-model:${digest}`,
    modelName: `${modelName}-model`,
  }
}
