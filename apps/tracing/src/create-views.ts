import type { ProjectScope } from '@heddle/identity'
import type { Outgoing } from '@heddle/outgoing'
import type { Records } from './create-records.ts'
import { createEvaluationCalls } from './domain/evaluation-calls/evaluation-calls.ts'
import { createSourceFiles } from './domain/object-collection/source-files.ts'
import { createScoring } from './domain/scoring/scoring.ts'
import type { Platform } from './platform.ts'
import type { ModelProviders } from './providers/model-providers.ts'
import type { WriteContext } from './records/calls/write/call-input.ts'
import type { IngestRules, TracingDeps } from './tracing-deps.ts'
import { createCompletions } from './views/completions/completions.ts'
import { createDatasets } from './views/datasets/datasets.ts'
import { createEvalResults } from './views/eval-results/eval-results.ts'
import { createEvaluationRuns } from './views/evaluation-runs/evaluation-runs.ts'
import { createEvaluations } from './views/evaluations/evaluations.ts'
import { createImages } from './views/images/images.ts'
import { emptyCatalogue } from './views/inference/catalogue.ts'
import { inferenceHandlers } from './views/inference/inference-handlers.ts'
import { createModels } from './views/models/models.ts'
import { createMonitors } from './views/monitors/monitors.ts'
import { createOps } from './views/ops/ops.ts'
import { createOtel } from './views/otel/otel.ts'
import { createPredictions } from './views/predictions/predictions.ts'
import { sqlMadeByKeysStore } from './views/project-keys/made-by-keys-store.sql.ts'
import { projectKeysHandlers } from './views/project-keys/project-keys-handlers.ts'
import { createRegistry } from './views/registry/registry.ts'
import { createScorers } from './views/scorers/scorers.ts'
import { createScores } from './views/scores/scores.ts'
import { createSharedTraces } from './views/shared-traces/shared-traces.ts'
import { createThreads } from './views/threads/threads.ts'

interface ViewsOptions {
  deps: Pick<TracingDeps, 'spans' | 'onSpans' | 'catalogue' | 'monitorTimes' | 'fillsPrompts'>
  ingest: IngestRules
  /** Whether traces may be shared with users without a key. */
  publicLinks: boolean
  providers: ModelProviders
  outgoing: Outgoing
  mask: WriteContext['mask']
  openProject: (projectId: string, signal: AbortSignal) => Promise<ProjectScope>
}

/** What is computed from records, or leads to them. None reads another. */
export function createViews(platform: Platform, records: Records, options: ViewsOptions) {
  const { deps, ingest, publicLinks, providers, outgoing, mask, openProject } = options
  const { calls, feedback, refs, costs, objects, tables, files } = records
  const { resolveRefs, findTables } = refs
  const { prices } = costs
  const { writer } = calls
  const { ensureOps, presentVersions } = objects
  const { beginFeedback, feedbackWriter } = feedback

  const sources = createSourceFiles({ files: files.files, clock: platform.clock })
  const scoring = createScoring({
    resolveRefs,
    beginFeedback,
    feedbackWriter,
    providers,
    outgoing,
    fillsPrompts: deps.fillsPrompts ?? true,
  })
  const { store, deleteCalls } = calls
  const evaluationCalls = createEvaluationCalls(platform, { store, writer, deleteCalls, ensureOps, mask })
  const collections = { ...platform, objects: objects.objects, deletion: objects.deletion, publisher: objects.publisher, presentVersions }

  return {
    ops: createOps(collections, { sources }),
    datasets: createDatasets(collections, { storeTable: tables.storeTable }),
    scorers: createScorers(collections, { sources, ensureOps }),
    models: createModels(collections, { sources }),
    registry: createRegistry(platform, { objects: objects.objects }),
    evaluations: createEvaluations(collections, {
      ensureOps,
      store,
      writer,
      tables: tables.tables,
      rows: tables.rows,
      findTables,
      evaluationCalls,
      scoring,
      providers,
    }),
    evaluationRuns: createEvaluationRuns(platform, evaluationCalls),
    predictions: createPredictions(platform, evaluationCalls),
    scores: createScores(platform, { ensureOps, beginFeedback, feedbackWriter, evaluationCalls, scoring, providers }),
    evalResults: createEvalResults(platform, { writer, tableRows: tables.rows, prices }),
    monitors: createMonitors(
      platform,
      { objects: objects.objects, presentVersions, prices, calls: store, scoring, openProject },
      deps.monitorTimes,
    ),
    threads: createThreads(platform, { prices, calls: store, statsStore: calls.statsStore }),
    sharedTraces: createSharedTraces(platform, { calls: store, isEnabled: publicLinks }),
    otel: createOtel({
      spans: deps.spans,
      options: { conflicts: ingest.spanConflicts, maskSecrets: ingest.masksCredentials },
      ensureOps,
      writer,
      onSpans: deps.onSpans,
    }),
    completions: createCompletions(platform, { providers, outgoing, writer, mask, openProject }),
    images: createImages(platform, { providers, outgoing, writer }),
    inference: { handlers: inferenceHandlers({ catalogue: deps.catalogue ?? emptyCatalogue }) },
    projectKeys: { handlers: projectKeysHandlers({ ...platform, made: sqlMadeByKeysStore(platform.database, platform.clock) }) },
  }
}
