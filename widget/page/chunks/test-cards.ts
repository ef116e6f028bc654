export { TestCards } from '../components/TestCards.tsx'
