export { createTestClient, startTestApp, type TestApp, type TestClient, type TestServer } from './start-test-app.ts'
export {
  askedOf,
  type Expected,
  type ExpectedTrace,
  expectMessages,
  isMatch,
  type Recording,
  recordings,
  sendRecording,
  totalsOf,
} from './recordings.ts'
export { type ReceivedMessage, type Receiver, respondWith, startReceiver } from '../views/webhooks/testing/start-receiver.ts'
export { aFilledProject } from '../contract-tests/testing/filled-project.ts'
export { sampleRequests } from '../contract-tests/testing/sample-requests.ts'
