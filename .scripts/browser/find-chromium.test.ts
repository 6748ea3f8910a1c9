import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { findChromium } from './find-chromium.mjs'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-chromium-'))
  vi.stubEnv('PATH', folder)
  vi.stubEnv('HEDDLE_TEST_CHROMIUM', undefined)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

function writeProgram(name: string, mode: number): string {
  const path = join(folder, name)
  writeFileSync(path, '#!/bin/sh\n')
  chmodSync(path, mode)
  return path
}

test('there is none where PATH holds none', () => {
  expect(findChromium()).toBeUndefined()
})

test('the one on PATH is found', () => {
  const path = writeProgram('chromium', 0o755)
  expect(findChromium()).toBe(path)
})

test('the one that the variable names wins', () => {
  writeProgram('chromium', 0o755)
  const named = writeProgram('another', 0o755)
  vi.stubEnv('HEDDLE_TEST_CHROMIUM', named)
  expect(findChromium()).toBe(named)
})

test('a variable that names no program is an error that says so', () => {
  const path = join(folder, 'missing')
  vi.stubEnv('HEDDLE_TEST_CHROMIUM', path)
  expect(() => findChromium()).toThrow(`HEDDLE_TEST_CHROMIUM is "${path}"`)
})
