export { ChargeList, Owed } from '../components/Owed.tsx'
export { consentText, contractRows, trialTexts } from '../contract-texts.ts'
