export { ChargeList, Owed } from '../components/Owed.tsx'
export { consentText, contractRows, trialPrice } from '../contract-texts.ts'
