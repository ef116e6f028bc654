export { SavedInSession } from '../SavedInSession.tsx'
