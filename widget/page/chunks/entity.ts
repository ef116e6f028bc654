export { LegalEntity } from '../components/LegalEntity.tsx'
