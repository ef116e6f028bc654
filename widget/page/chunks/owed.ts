export { ChargeList, Owed } from '../components/Owed.tsx'
export { consentText, contractRows } from '../contract-texts.ts'
