export { SavedMethodNotice } from '../components/SavedMethodNotice.tsx'
