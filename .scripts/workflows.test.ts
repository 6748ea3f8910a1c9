import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { projectRoot } from './project-root.mjs'
import { runCommand } from './terminal/run-command.mjs'

const actionlint = 'v1.7.12'
const folder = join(projectRoot, '.github', 'workflows')
const workflows = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const)
const linesOf = (text: string, pattern: RegExp) => text.split('\n').filter((line) => pattern.test(line))

test.each(workflows)('%s names each action by its commit, with the version', (_, text) => {
  const uses = linesOf(text, /\buses:/)
  expect(uses.filter((line) => !/uses: [\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([])
})

test('all workflows name the same commit of an action', () => {
  const pins = workflows.flatMap(([, text]) =>
    [...text.matchAll(/uses: ([^@\s]+)@(.+)/g)].map(([, action, commit]) => [action, commit] as const),
  )
  for (const [action, commit] of pins)
    expect([action, ...new Set(pins.filter(([other]) => other === action).map(([, one]) => one))]).toEqual([action, commit])
})

test.each(workflows)('%s may only read the repository, unless a job requests more', (_, text) => {
  expect(text).toMatch(/^permissions:\n {2}contents: read\n(?! )/m)
  expect(text).not.toContain('pull_request_target')
  expect(text).not.toContain('write-all')
})

test.each(workflows)('each job of %s has a time limit, and no checkout leaves a token on disk', (_, text) => {
  expect(linesOf(text, /^ {4}timeout-minutes: \d+$/)).toHaveLength(linesOf(text, /^ {4}runs-on: /).length)
  expect(linesOf(text, /persist-credentials: false/)).toHaveLength(linesOf(text, /uses: actions\/checkout@/).length)
})

test.each(workflows)('the scripts and files of this repository that %s runs exist', (_, text) => {
  const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
  const run = [...text.matchAll(/\bnpm run ([\w:-]+)/g)].map(([, name = '']) => name)
  expect(run.filter((name) => scripts[name] === undefined)).toEqual([])
  const paths = [...text.matchAll(/(?:bash |npm test -- |--file )([\w./ -]+)/g)].flatMap(([, list = '']) =>
    list.split(' ').filter((path) => /[./]/.test(path)),
  )
  expect(paths.filter((path) => !existsSync(join(projectRoot, path)))).toEqual([])
})

test('a release publishes packages, image, chart and documentation, each only after the rehearsal', () => {
  const text = readFileSync(join(folder, 'release.yml'), 'utf8')
  const jobs = Object.fromEntries(
    (text.split(/^jobs:\n/m)[1] ?? '')
      .split(/^ {2}(?=\w+:\n {4})/m)
      .slice(1)
      .map((job) => [job.slice(0, job.indexOf(':')), /^ {4}needs: \[?([\w, ]+)/m.exec(job)?.[1]?.split(', ') ?? []]),
  )
  expect(Object.keys(jobs).toSorted()).toEqual(['assets', 'chart', 'docs', 'image', 'images', 'packages', 'rehearse'])
  const isAfterRehearsal = (name: string): boolean => name === 'rehearse' || (jobs[name] ?? []).some(isAfterRehearsal)
  expect(Object.keys(jobs).filter((name) => !isAfterRehearsal(name))).toEqual([])
  // What the job of the chart replaces by the published image.
  const values = readFileSync(join(projectRoot, 'apps/heddle/deploy/helm/heddle/values.yaml'), 'utf8')
  expect(values).toMatch(/^ {2}repository: heddle$/m)
})

const linters = inject('long') ? ['actionlint'] : []

// Built from its Go module, as the S3 store of the long tests is.
test.each(linters)('%s finds nothing in the workflows', { timeout: 600_000 }, async () => {
  const bin = join(projectRoot, 'node_modules', '.cache', 'actionlint', actionlint)
  if (!existsSync(join(bin, 'actionlint'))) {
    const built = await runCommand(['go', 'install', `github.com/rhysd/actionlint/cmd/actionlint@${actionlint}`], {
      timeoutMs: 500_000,
      env: { GOBIN: bin },
    })
    expect(built.code, built.output).toBe(0)
  }
  const { code, output } = await runCommand([join(bin, 'actionlint')], { timeoutMs: 60_000 })
  expect(code, output).toBe(0)
})
