import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv2019, type ValidateFunction } from 'ajv/dist/2019.js'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { parseAllDocuments } from 'yaml'

/** What Helm makes of the chart, against the schemas of Kubernetes. Both come from registries of packages, so in the long tests alone. */
const helmVersion = 'v3.18.6'
/** A Python package that ships the schemas of many versions, in which no property may be unknown. */
const schemasVersion = '1.37.0'
const kubernetesVersions = ['1.27.0', '1.33.0', '1.37.0']

const repository = fileURLToPath(new URL('../../../../', import.meta.url))
const cache = join(repository, 'node_modules', '.cache', 'chart')
const helmFolder = join(cache, `helm-${helmVersion}`)
const schemasFolder = join(cache, `schemas-${schemasVersion}`)
const chart = fileURLToPath(new URL('../../deploy/helm/heddle/', import.meta.url))
const examples = readdirSync(join(chart, 'ci')).map((name) => join(chart, 'ci', name))

interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string }
}

async function runCommand(
  [program = '', ...args]: readonly string[],
  { timeoutMs, env = {} }: { timeoutMs: number; env?: Record<string, string> },
): Promise<{ code: number | null; output: string }> {
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'], timeout: timeoutMs })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output }
}

async function run(command: readonly string[], options: { timeoutMs: number; env?: Record<string, string> }): Promise<string> {
  const { code, output } = await runCommand(command, options)
  expect(code, output).toBe(0)
  return output
}

const helm = (...args: string[]) => run([join(helmFolder, 'helm'), ...args], { timeoutMs: 120_000 })

async function render(example: string, kubernetes: string): Promise<Manifest[]> {
  const text = await helm('template', 'heddle', chart, '--values', example, '--kube-version', kubernetes)
  return parseAllDocuments(text).map((document) => document.toJS() as Manifest)
}

/** Validators of one version of Kubernetes by `apiVersion` and kind. */
function validatorsOf(kubernetes: string): (manifest: Manifest) => ValidateFunction {
  const folder = join(schemasFolder, 'kubernetes_validate', 'kubernetes-json-schema', `v${kubernetes}-local-strict`)
  /** Without the names by which it would be another's. */
  const readSchema = (name: string) => {
    const { $schema: _dialect, $id: _id, ...schema } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<string, unknown>
    return schema
  }
  const ajv = new Ajv2019({ strict: false, allErrors: true, validateFormats: false })
  ajv.addSchema(readSchema('_definitions.json'), '/api/_definitions.json')
  const compiled = new Map<string, ValidateFunction>()
  return ({ apiVersion, kind }) => {
    // `networking.k8s.io/v1` is `networking-v1` there.
    const group = apiVersion.split('/').map((part) => part.split('.')[0])
    const name = `${kind.toLowerCase()}-${group.join('-')}.json`
    const known = compiled.get(name) ?? ajv.compile(readSchema(name))
    compiled.set(name, known)
    return known
  }
}

test('the examples have both modes, and each template that depends on a value is rendered by one', () => {
  const texts = examples.map((path) => readFileSync(path, 'utf8'))
  expect(new Set(texts.map((text) => /^mode: (\S+)/m.exec(text)?.[1] ?? 'embedded'))).toEqual(new Set(['embedded', 'scale-out']))
  for (const value of [
    'backup: { enabled: true',
    'serviceMonitor: { enabled: true',
    'autoscaling: { enabled: false',
    'ingress: { enabled: true',
  ])
    expect([value, texts.some((text) => text.includes(value))]).toEqual([value, true])
})

const suites = inject('long') ? ['the chart'] : []

describe.each(suites)('%s', { timeout: 600_000 }, () => {
  beforeAll(async () => {
    if (!existsSync(join(helmFolder, 'helm')))
      await run(['go', 'install', `helm.sh/helm/v3/cmd/helm@${helmVersion}`], { timeoutMs: 1_200_000, env: { GOBIN: helmFolder } })
    if (!existsSync(join(schemasFolder, 'kubernetes_validate'))) {
      const install = ['python3', '-m', 'pip', 'install', '--disable-pip-version-check', '--quiet', '--no-deps', '--target', schemasFolder]
      await run([...install, `kubernetes-validate==${schemasVersion}`], { timeoutMs: 600_000 })
    }
  }, 1_800_000)

  test.each(examples)('has no fault that the linter of Helm finds with %s', async (example) => {
    expect(await helm('lint', chart, '--strict', '--values', example)).toContain('1 chart(s) linted, 0 chart(s) failed')
  })

  test.each(kubernetesVersions)('is valid by the schemas of Kubernetes %s with every example', async (kubernetes) => {
    const validatorOf = validatorsOf(kubernetes)
    const kinds = new Set<string>()
    for (const example of examples)
      for (const manifest of await render(example, kubernetes)) {
        kinds.add(manifest.kind)
        // A custom resource of the Prometheus operator, whose schema is not of Kubernetes.
        if (manifest.kind === 'ServiceMonitor') continue
        const validate = validatorOf(manifest)
        validate(manifest)
        expect([example, manifest.kind, manifest.metadata.name, validate.errors]).toEqual([
          example,
          manifest.kind,
          manifest.metadata.name,
          null,
        ])
      }
    expect([...kinds].toSorted()).toEqual([
      'CronJob',
      'Deployment',
      'HorizontalPodAutoscaler',
      'Ingress',
      'Job',
      'NetworkPolicy',
      'PodDisruptionBudget',
      'Service',
      'ServiceMonitor',
      'StatefulSet',
    ])
  })

  test('would fail the schemas with a property that Kubernetes does not have', async () => {
    const manifest = (await render(examples[0] ?? '', '1.33.0')).find(({ kind }) => kind === 'StatefulSet')
    if (!manifest) throw new Error('no StatefulSet')
    const validate = validatorsOf('1.33.0')(manifest)
    expect(validate({ ...manifest, spec: { ...(manifest as { spec?: object }).spec, replica: 1 } })).toBe(false)
  })

  test('has only references of pods to volumes, ports and services that exist', async () => {
    for (const example of examples) {
      const text = await helm('template', 'heddle', chart, '--values', example, '--kube-version', '1.33.0')
      const mounted = [...text.matchAll(/- \{ name: ([\w-]+), mountPath/g)].map(([, name]) => name)
      const volumes = [...text.matchAll(/^\s+(?:- |- \{ )?name: ([\w-]+)[,\s]/gm)].map(([, name]) => name)
      expect(mounted.filter((name) => !volumes.includes(name))).toEqual([])
    }
  })

  test('refuses values that its schema does not allow', async () => {
    const { code, output } = await runCommand([join(helmFolder, 'helm'), 'template', 'heddle', chart, '--set', 'mode=scale-out'], {
      timeoutMs: 120_000,
    })
    expect(code).not.toBe(0)
    expect(output).toContain('clickhouseUrl')
  })
})
