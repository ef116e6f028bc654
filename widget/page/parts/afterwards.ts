export { Expired, Unavailable } from '../Gone.tsx'
export { PendingReceipt, Receipt } from '../Receipt.tsx'
export { BankStep, Busy, Checking, Leaving, Unsure } from '../Waiting.tsx'
