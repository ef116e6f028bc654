export { newAttemptKey } from '../attempt-key.ts'
export { BANK_TRANSFER, CARD } from '../methods/sandbox.ts'
export { payWith } from '../pay-with.ts'
export { checkForm } from '../submission.ts'
