export { SavedMethodNotice } from '../components/SavedMethodNotice.tsx'
export { checkSecurityCode, SavedMethodFields, SavedMethodLabel } from '../methods/SavedMethod.tsx'
