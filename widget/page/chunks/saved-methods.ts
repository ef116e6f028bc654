export { SavedFields, SavedLabel } from '../methods/SavedMethod.tsx'
export { savedCodeProblem } from '../methods/saved.ts'
