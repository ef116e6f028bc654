export { checkSecurityCode, SavedMethodFields, SavedMethodLabel } from '../methods/SavedMethod.tsx'
