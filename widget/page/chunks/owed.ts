export { ChargeList, Owed } from '../components/Owed.tsx'
export { Consent, contractRows } from '../components/Recurring.tsx'
