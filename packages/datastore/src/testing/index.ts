export { startTestStores, type TestStores } from './test-stores.ts'
