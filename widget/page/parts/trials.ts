export { TestCards } from '../TestCards.tsx'
