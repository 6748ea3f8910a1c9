import { expect, test } from 'vitest'
import { parseLauncherFile } from './launcher-file.ts'

const ray = { kind: 'ray', url: 'http://ray.internal:8265/', command: 'serve' }
const parse = (fields: object) => parseLauncherFile(JSON.stringify(fields))

test('what a file leaves out has a default', () => {
  expect(parse(ray)).toEqual({
    name: 'heddle-training',
    cluster: { kind: 'ray', url: 'http://ray.internal:8265', resources: {} },
    server: { command: 'serve', port: 8_000, environment: {}, cpus: null, gpus: null, memoryBytes: null, address: null },
    limits: { startMs: 600_000, startsPerHour: 5 },
    stopsAtEnd: true,
    digest: expect.stringMatching(/^[0-9a-f]{32}$/),
  })
})

test('in a pod of Kubernetes its service account is enough', () => {
  const folder = '/var/run/secrets/kubernetes.io/serviceaccount'
  expect(parse({ kind: 'kubernetes', image: 'trainer:1', command: 'serve' }).cluster).toEqual({
    kind: 'kubernetes',
    url: 'https://kubernetes.default.svc',
    namespace: null,
    image: 'trainer:1',
    pod: {},
    container: {},
    tokenFile: `${folder}/token`,
    authorityFile: `${folder}/ca.crt`,
  })
})

test('a server of this machine needs its command alone', () => {
  expect(parse({ kind: 'process', command: 'serve' })).toMatchObject({
    cluster: { kind: 'process' },
    server: { command: 'serve', port: 8_000, cpus: null, gpus: null, memoryBytes: null },
  })
})

test('a job of Slurm needs its command and a shared folder', () => {
  expect(parse({ kind: 'slurm', command: 'serve', folder: '/shared/heddle' })).toMatchObject({
    cluster: { kind: 'slurm', folder: '/shared/heddle', options: [] },
    server: { command: 'serve', port: 8_000, cpus: null, gpus: null, memoryBytes: null },
  })
})

test('the digest is of what the server is started with, not of how it is watched', () => {
  const { digest } = parse(ray)
  expect(parse({ ...ray, start_seconds: 5, when_heddle_stops: 'keep' }).digest).toBe(digest)
  expect(parse({ ...ray, environment: { A: '1' } }).digest).not.toBe(digest)
})

test.each<[object | string, RegExp]>([
  ['{"environment": {"SECRET": "x', /^not valid JSON$/],
  ['[]', /./],
  [{ ...ray, kind: 'nomad' }, /^"kind" does not fit: /],
  [{ kind: 'slurm', command: 'serve', folder: 'shared' }, /^"folder" does not fit: it must be an absolute path without %/],
  [
    { kind: 'slurm', command: 'serve', folder: '/shared', options: ['-p gpu'] },
    /^"options.0" does not fit: an option of sbatch begins with --/,
  ],
  [{ kind: 'slurm', command: 'serve', folder: '/shared', gpus: 0.5 }, /^"gpus" does not fit: /],
  [{ ...ray, command: '' }, /^"command" does not fit: /],
  [{ ...ray, port: 70_000 }, /^"port" does not fit: .*65535/],
  [{ ...ray, url: 'ray:8265' }, /^"url" does not fit: it must start with http:\/\/ or https:\/\//],
  [{ ...ray, url: 'http://me:secret@ray' }, /^"url" does not fit: it must start with/],
  [{ ...ray, name: 'Heddle' }, /^"name" does not fit: it must be lower-case letters/],
  [{ ...ray, environment: { 'A B': '1' } }, /^"environment.A B" does not fit: /],
  [{ ...ray, when_heddle_stops: 'kill' }, /^"when_heddle_stops" does not fit: .*"stop"\|"keep"/],
  [{ ...ray, gpu: 1 }, /gpu/],
  [{ kind: 'process', command: 'serve', gpus: 1 }, /gpus/],
  [{ kind: 'kubernetes', command: 'serve' }, /^"image" does not fit: /],
  [{ kind: 'kubernetes', image: 'a', command: 'serve', namespace: 'A' }, /^"namespace" does not fit: it must be lower-case/],
])('%j is refused', (file, message) => {
  expect(() => parseLauncherFile(typeof file === 'string' ? file : JSON.stringify(file))).toThrow(message)
})
