import { createClock } from '../terminal/clock.ts'
import { seedRanges } from '../demo/attempt-seed.ts'
import { describeResult } from '../demo/describe-result.ts'
import { drawEvent, drawResult } from '../demo/draw-demo.ts'
import { openDemoServer } from '../demo/demo-server.ts'
import { runDemo } from '../demo/run-demo.ts'
import { practisedTasks } from '../demo/weather-tasks.ts'
import { commandName } from '../server/start/welcome.ts'
import type { Configuration } from '../settings/configuration.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { splitProject } from '../training/find-model.ts'
import { parseWhole } from '../terminal/parse-whole.ts'

/** As they were written. */
export interface DemoFlags {
  project: string
  json?: boolean
  tasks: string
  rounds: string
  seed: string
}

interface DemoDeps {
  configuration: Configuration
  terminal: Terminal
  /** Ends the demo; the recorded data stays. */
  signal: AbortSignal
}

/** Questions of a round: more at once would wait for each other. */
const maxTasks = Math.min(64, practisedTasks)

/** Shows the whole way from traces to a better model. Returns false when it was stopped before its end. */
export async function demo(flags: DemoFlags, { configuration, terminal, signal }: DemoDeps): Promise<boolean> {
  const { entity, project } = splitProject(flags.project)
  const options = {
    project: `${entity}/${project}`,
    tasks: parseWhole('--tasks', flags.tasks, { to: maxTasks }),
    rounds: parseWhole('--rounds', flags.rounds, { to: seedRanges.round - 1 }),
    seed: parseWhole('--seed', flags.seed, { from: 0, to: seedRanges.seed - 1 }),
  }
  const server = await openDemoServer(configuration, terminal)
  try {
    const result = await runDemo(server, options, { signal, onEvent: (event) => show(drawEvent(event, options.rounds), terminal) })
    const { baseUrl, flags: serverFlags, isOwn } = server
    const places = { baseUrl, project: options.project, command: commandName(process.argv[1] ?? 'heddle'), flags: serverFlags }
    if (flags.json) terminal.json(JSON.stringify(describeResult(result, options, baseUrl), null, 2))
    else terminal.out(`\n${drawResult(result, places, createClock(configuration.timeZone))}`)
    if (isOwn)
      terminal.note(
        `The server ends with the demo; \`${places.command} serve${serverFlags}\` starts it again with everything that was recorded.`,
      )
    return true
  } catch (error) {
    if (!signal.aborted) throw error
    terminal.note('Stopped. What was recorded stays; the next demo begins again with a model of its own.')
    return false
  } finally {
    terminal.status('')
    await server.close()
  }
}

function show(drawn: ReturnType<typeof drawEvent>, terminal: Terminal): void {
  if ('status' in drawn) return terminal.status(drawn.status)
  terminal.note(drawn.line)
}
